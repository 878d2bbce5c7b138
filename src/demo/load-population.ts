import { createProgressBar, type ProgressOutput } from '#lib/progress-bar.ts';
import { createSeededRandom, type Random } from '@tessera/psychometrics/seeded-random';
import { consentVersions, insertGrants } from '#modules/people/consent';
import { insertDeployedMembers } from '#modules/people/members';
import {
  buildLatentVector,
  buildTraitVector,
  computeCategoricalPosterior,
  insertFirstVectors,
  itemBank,
  type NewVector,
} from '#modules/measurement/traits';
import { OperatorError } from '#platform/command-line.ts';
import { analyzeTables } from '#platform/database/analyze.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { findTemplates, loadJobs } from './load-jobs.ts';
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
 * active jobs from the job templates, or from a sample if none have been imported. The same seed gives the same members. Everything is one
 * transaction, so that a load that fails or is interrupted leaves nothing. `demo unload` removes it again.
 *
 * @throws OperatorError in production, or if a number is not a whole number within its bounds.
 */
export async function loadPopulation(
  platform: Platform,
  input: Readonly<Record<string, string>>,
  output: ProgressOutput = process.stderr,
  addToMembers?: AddToMembers,
): Promise<LoadedPopulation> {
  if (platform.config.production && !platform.config.sandbox)
    throw new OperatorError('synthetic members are refused when TESSERA_ENV is production');
  const members = parseWholeNumber('--members', input['members'], members_max);
  const count = parseWholeNumber('--jobs', input['jobs'], jobs_max);
  const seed = parseWholeNumber('--seed', input['seed'], 2 ** 32 - 1);
  const templates = await findTemplates(platform.database);
  const loaded = await platform.database.transaction(async (tx) => {
    // Created here, so that a transaction that is tried again draws the same members.
    const random = createSeededRandom(seed);
    await loadMembers(platform, tx, {
      random,
      members,
      showProgress: createProgressBar('members', output),
      addToMembers,
    });
    return { members, ...(await loadJobs(platform, tx, { random, templates, count })) };
  });
  await analyzeTables(platform.database, [
    'members',
    'consent_records',
    'trait_vectors',
    'jobs',
    'job_titles',
  ]);
  return loaded;
}

/** Adds more to a batch of members, in the order in which they were drawn. `first` is the number of its first one, from 0. */
export type AddToMembers = (tx: Transaction, ids: readonly string[], first: number) => Promise<void>;

type MemberLoad = {
  readonly random: Random;
  readonly members: number;
  readonly showProgress: (done: number, total: number) => void;
  readonly addToMembers: AddToMembers | undefined;
};

async function loadMembers(
  platform: Platform,
  tx: Transaction,
  { random, members, showProgress, addToMembers }: MemberLoad,
): Promise<void> {
  // The next batch of members is generated while the database stores the previous one.
  let inserting: Promise<void> = Promise.resolve();
  for (let done = 0; done < members; done += batch_size) {
    const batch = Array.from({ length: Math.min(batch_size, members - done) }, () =>
      drawSyntheticMember(random),
    );
    await inserting;
    showProgress(done, members);
    inserting = insertMembers(platform, tx, batch).then((ids) => addToMembers?.(tx, ids, done));
  }
  await inserting;
  showProgress(members, members);
}

function parseWholeNumber(flag: string, text: string | undefined, maximum: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > maximum)
    throw new OperatorError(`${flag} must be a whole number from 0 to ${maximum}`);
  return value;
}

async function insertMembers(
  platform: Platform,
  tx: Transaction,
  batch: readonly SyntheticMember[],
): Promise<readonly string[]> {
  const now = platform.now();
  const ids = await insertDeployedMembers(tx, batch, now);
  await insertGrants(tx, ids, ['assessment_data', 'matching'], {
    version: consentVersions[consentVersions.length - 1]!,
    now,
  });
  const vectors = batch.map((member, index) => buildNewVector(ids[index]!, member));
  await insertFirstVectors(tx, vectors, {
    item_bank_version: itemBank.version,
    parameter_version: itemBank.parameter_version,
    now,
  });
  return ids;
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
