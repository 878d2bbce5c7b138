import { syntheticPerson, type SyntheticPerson } from './synthetic-people.ts';
import { loadJobs } from './load-jobs.ts';
import { insertGrants } from '#modules/consent';
import { insertDeployedMembers } from '#modules/members';
import {
  categoricalPosterior,
  insertFirstVectors,
  itemBank,
  latentVector,
  traitVector,
  type NewVector,
} from '#modules/traits';
import { progressBar, type BarOutput } from '#lib/progress-bar.ts';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import { seededRandom } from '#lib/seeded-random.ts';

const batch_size = 2_000;
const members_max = 10_000_000;
const jobs_max = 10_000;

export type Loaded = { readonly members: number; readonly jobs: number; readonly org_id: string | null };

/**
 * Loads a synthetic population in bulk: members at level 4 with consents and full trait vectors, and an organisation's active jobs from
 * the job templates. The same seed makes the same people. Every thousand or so are one transaction, so that an interrupted load leaves
 * whole members.
 *
 * @throws OperatorError when a number is not a whole number in its bounds, or jobs are wanted and there are no templates.
 */
export async function loadPopulation(
  platform: Platform,
  input: Readonly<Record<string, string>>,
  output: BarOutput = process.stderr,
): Promise<Loaded> {
  const members = wholeNumber('--members', input['members'], members_max);
  const jobs = wholeNumber('--jobs', input['jobs'], jobs_max);
  const random = seededRandom(wholeNumber('--seed', input['seed'], 2 ** 32 - 1));
  const bar = progressBar('members', output);
  // The next people are made up while the database takes the ones before.
  let inserting: Promise<void> = Promise.resolve();
  for (let done = 0; done < members; done += batch_size) {
    const people = Array.from({ length: Math.min(batch_size, members - done) }, () =>
      syntheticPerson(random),
    );
    await inserting;
    bar(done, members);
    inserting = insertPeople(platform, people);
  }
  await inserting;
  bar(members, members);
  return { members, ...(await loadJobs(platform, random, jobs)) };
}

function wholeNumber(flag: string, text: string | undefined, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > most)
    throw new OperatorError(`${flag} must be a whole number from 0 to ${most}`);
  return value;
}

async function insertPeople(
  platform: Platform,
  people: readonly SyntheticPerson[],
): Promise<void> {
  const now = platform.now();
  await platform.database.transaction(async (tx) => {
    const ids = await insertDeployedMembers(tx, people, now);
    await insertGrants(tx, ids, ['assessment_data', 'matching'], { version: 'demo-1', now });
    const vectors = people.map((person, index) => measured(ids[index]!, person));
    await insertFirstVectors(tx, vectors, { item_bank_version: itemBank.version, now });
  });
}

function measured(member_id: string, { posterior, scenarios }: SyntheticPerson): NewVector {
  const categorical = (['decision_mode', 'conflict_style'] as const).map((trait) =>
    categoricalPosterior(trait, scenarios),
  );
  return {
    member_id,
    vector: traitVector(posterior, categorical),
    latent: latentVector(posterior, categorical),
  };
}
