import { createProgressBar, type ProgressOutput } from '#lib/progress-bar.ts';
import { createSeededRandom } from '#lib/seeded-random.ts';
import { insertGrants } from '#modules/consent';
import { insertDeployedMembers } from '#modules/members';
import {
  buildLatentVector,
  buildTraitVector,
  computeCategoricalPosterior,
  insertFirstVectors,
  itemBank,
  type NewVector,
} from '#modules/traits';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import { loadJobs } from './load-jobs.ts';
import { drawSyntheticMember, type SyntheticMember } from './synthetic-members.ts';

const batch_size = 2_000;
const members_max = 10_000_000;
const jobs_max = 10_000;

export type LoadedPopulation = {
  readonly members: number;
  readonly jobs: number;
  readonly org_id: string | null;
};

/**
 * Loads a synthetic population in bulk: members at engagement level 4 with consents and complete trait vectors, and an organisation with
 * active jobs from the job templates. The same seed gives the same members. Each batch of members is one transaction, so that an
 * interrupted load leaves no incomplete member.
 *
 * @throws OperatorError if a number is not a whole number within its bounds, or if jobs are requested and no templates exist.
 */
export async function loadPopulation(
  platform: Platform,
  input: Readonly<Record<string, string>>,
  output: ProgressOutput = process.stderr,
): Promise<LoadedPopulation> {
  const members = parseWholeNumber('--members', input['members'], members_max);
  const jobs = parseWholeNumber('--jobs', input['jobs'], jobs_max);
  const random = createSeededRandom(parseWholeNumber('--seed', input['seed'], 2 ** 32 - 1));
  const showProgress = createProgressBar('members', output);
  // The next batch of members is generated while the database stores the previous one.
  let inserting: Promise<void> = Promise.resolve();
  for (let done = 0; done < members; done += batch_size) {
    const batch = Array.from({ length: Math.min(batch_size, members - done) }, () =>
      drawSyntheticMember(random),
    );
    await inserting;
    showProgress(done, members);
    inserting = insertMembers(platform, batch);
  }
  await inserting;
  showProgress(members, members);
  return { members, ...(await loadJobs(platform, random, jobs)) };
}

function parseWholeNumber(flag: string, text: string | undefined, maximum: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > maximum)
    throw new OperatorError(`${flag} must be a whole number from 0 to ${maximum}`);
  return value;
}

async function insertMembers(platform: Platform, batch: readonly SyntheticMember[]): Promise<void> {
  const now = platform.now();
  await platform.database.transaction(async (tx) => {
    const ids = await insertDeployedMembers(tx, batch, now);
    await insertGrants(tx, ids, ['assessment_data', 'matching'], { version: 'demo-1', now });
    const vectors = batch.map((member, index) => buildNewVector(ids[index]!, member));
    await insertFirstVectors(tx, vectors, { item_bank_version: itemBank.version, now });
  });
}

function buildNewVector(member_id: string, { posterior, scenarios }: SyntheticMember): NewVector {
  const categorical = (['decision_mode', 'conflict_style'] as const).map((trait) =>
    computeCategoricalPosterior(trait, scenarios),
  );
  return {
    member_id,
    vector: buildTraitVector(posterior, categorical),
    latent: buildLatentVector(posterior, categorical),
  };
}
