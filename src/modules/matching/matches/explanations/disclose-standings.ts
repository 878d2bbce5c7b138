import { LRUCache } from 'lru-cache';
import { findOrganisationJob } from '#modules/matching/jobs';
import { detailedVersions } from '#modules/people/consent';
import { findKnownOwner } from '#modules/organisations/org-users';
import type { Transaction } from '#platform/database/database.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Context } from '#platform/operation.ts';
import type { Match } from '../store.ts';
import {
  listDescribable,
  listDisclosableMatches,
  listDisclosures,
  lockDisclosures,
  upsertDisclosures,
  type DisclosureOwner,
} from './store-disclosures.ts';
import { choosePeopleToDisclose } from './disclosures.ts';

/** When the details of a version of a job were given last, so that most reads need no statement for it. */
const getLatestDisclosures = instanceMemory(() => new LRUCache<string, number>({ max: 20_000 }));

/** How long people who have become matches meanwhile wait for their details, in milliseconds. */
const pause_ms = 10 * 60_000;

/**
 * Gives an organisation that looks at a job the details about its people: at the first look for all of them at once, so that the organisation cannot choose
 * about whom, and later for people who were added. A version of the job that nobody looked at uses up nothing.
 */
export async function discloseStandings(
  context: Pick<Context, 'config' | 'database' | 'memory' | 'now' | 'transaction'>,
  { org_id, job_id }: Pick<Match, 'org_id' | 'job_id'>,
): Promise<void> {
  const { database } = context;
  const job = await findOrganisationJob(database, org_id, job_id);
  if (!job) return;
  const [key, now] = [`${job_id} ${job.version}`, context.now()];
  const latest = getLatestDisclosures(context);
  if (now.getTime() - (latest.get(key) ?? -Infinity) < pause_ms) return;
  const known = await findKnownOwner(context, database, org_id);
  const owner = { org_id, domains: known?.kind === 'domains' ? known.domains : [] };
  const version = { job_id, version: job.version, now };
  // Before the first computation has stored its people, there is nothing to give yet.
  if (known && (await context.transaction((tx) => disclosePeople(tx, owner, version))) === 0) return;
  latest.set(key, now.getTime());
}

/** @returns the number of people whom the version of the job has. */
async function disclosePeople(
  tx: Transaction,
  owner: DisclosureOwner,
  version: { readonly job_id: string; readonly version: number; readonly now: Date },
): Promise<number> {
  await lockDisclosures(tx, owner);
  const matches = await listDisclosableMatches(tx, version);
  const member_ids = matches.map(({ member_id }) => member_id);
  const [describable, disclosed] = [
    await listDescribable(tx, member_ids, detailedVersions),
    await listDisclosures(tx, member_ids, owner),
  ];
  const chosen = choosePeopleToDisclose(
    { matches, describable, disclosed },
    { ...version, org_id: owner.org_id },
  );
  if (chosen.length > 0) await upsertDisclosures(tx, owner, { ...version, member_ids: chosen });
  return matches.length;
}
