import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '#lib/refusal.ts';
import { findListedVersion, findLivePolicy } from '#modules/matching/matches';
import type { Reader, Transaction } from '#platform/database/database.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Context } from '#platform/operation.ts';
import { findDrivers } from '../drivers/find-drivers.ts';
import {
  findRelease,
  getSeenRelease,
  listSeenReleases,
  lockReleases,
  storeRelease,
  type ReleaseKey,
} from '../store.ts';
import type { EarlierReport } from './hide-numbers.ts';
import { addUpKinds, findMedianTier } from './kinds.ts';
import { buildMarks, joinPeople, type StoredMarks } from './join-people.ts';
import {
  buildCounts,
  completeCounts,
  hasShownGroups,
  isReleaseDue,
  mayReplace,
  type BiasCounts,
  type BiasRelease,
  type StoredRelease,
} from './release-rules.ts';
import { listCountedPeople, type MarkedPeople } from './store-people.ts';

type ReleaseContext = Pick<Context, 'database' | 'memory' | 'readSnapshot' | 'transaction' | 'now'>;

type Subject = { readonly org_id: string; readonly year: number };

/**
 * Finds the counts that an organisation may see about a year. They are counted again when a new report is due, and replace those that were seen
 * if the difference says nothing about a few people. `record` runs in the same transaction.
 */
export async function releaseCounts(
  context: ReleaseContext,
  subject: Subject,
  record: (tx: Transaction) => Promise<void>,
): Promise<BiasRelease> {
  for (let tries = 0; tries < tries_max; tries++) {
    const release = await tryRelease(context, subject, record);
    if (release) return { ...release, counts: completeCounts(release.counts) };
  }
  throw new Refusal('overloaded', { headers: { 'retry-after': '5' } });
}

/** Every try that fails means that another report of the organisation was counted meanwhile. */
const tries_max = 5;

/** Returns undefined, and records nothing, if the organisation has seen another report since people were counted: this count was not compared with it. */
async function tryRelease(
  context: ReleaseContext,
  subject: Subject,
  record: (tx: Transaction) => Promise<void>,
): Promise<StoredRelease | undefined> {
  const { database, now } = context;
  const seen = await findRelease(database, subject.org_id, subject.year);
  const counted = !seen || isReleaseDue(seen, now()) ? await countTogether(context, subject) : undefined;
  const isReplaced = counted !== undefined && (!seen || mayReplace(seen.counts, counted.counts));
  return context.transaction(async (tx) => {
    if (isReplaced) {
      await lockReleases(tx, subject.org_id);
      if (!isDeepStrictEqual(counted.compared, await listCompared(tx, subject))) return undefined;
      await storeRelease(tx, { ...subject, number: chooseNumber(seen) }, counted, {
        replaced: findReplaced(seen),
        now: now(),
      });
    }
    await record(tx);
    // What another request has stored meanwhile is what everybody sees.
    return findRelease(tx, subject.org_id, subject.year);
  });
}

/** A count that shows no group is replaced: nothing follows from it. All others stay. */
function chooseNumber(seen: StoredRelease | undefined): number {
  return seen === undefined ? 1 : hasShownGroups(seen.counts) ? seen.number + 1 : seen.number;
}

function findReplaced(seen: StoredRelease | undefined): Date | null {
  return seen === undefined || hasShownGroups(seen.counts) ? null : seen.released_at;
}

/** A new count, the marks of those who were counted, and the earlier counts with which it was compared. */
type Counted = {
  readonly counts: BiasCounts;
  readonly people: StoredMarks;
  readonly compared: readonly ReleaseKey[];
};

const getCounting = instanceMemory(() => new Map<string, Promise<Counted>>());

/** Requests that come while the same people are counted share the result, because each count holds a connection of the pool. */
function countTogether(context: ReleaseContext, subject: Subject): Promise<Counted> {
  const counting = getCounting(context);
  const key = `${subject.org_id} ${subject.year}`;
  const counted = counting.get(key) ?? count(context, subject).finally(() => counting.delete(key));
  counting.set(key, counted);
  return counted;
}

async function count(context: ReleaseContext, subject: Subject): Promise<Counted> {
  let counted: Counted | undefined;
  for await (const each of context.readSnapshot((db) => countInSnapshot(db, subject, context.now())))
    counted = each;
  return counted!;
}

/** The other years with which a count is compared: people who are matched for years are in several. */
const other_years_max = 4;

const listCompared = (db: Reader, subject: Subject) =>
  listSeenReleases(db, subject, { others: other_years_max });

async function* countInSnapshot(
  db: Reader,
  { org_id, year }: Subject,
  now: Date,
): AsyncGenerator<Counted, void> {
  const subject = { org_id, ...buildPeriod(year) };
  const rows = await listCountedPeople(db, subject, now);
  const kinds = addUpKinds(rows);
  const compared = await listCompared(db, { org_id, year });
  const median_tier = findMedianTier(Object.values(kinds.gender));
  const earlier: EarlierReport[] = [];
  // One after the other: each has the marks of all people.
  for (const key of compared) earlier.push(await joinSeen(db, { org_id, key, rows, median_tier }));
  const [{ version }, policy] = [await findListedVersion(db), await findLivePolicy(db)];
  const versions = { parameter_version: version ?? null, policy_version: policy.version };
  const counts = await buildCounts(kinds, versions, earlier);
  const drivers = await findDrivers(db, subject, counts);
  yield { counts: { ...counts, drivers }, people: buildMarks(rows), compared };
}

type Join = {
  readonly org_id: string;
  readonly key: ReleaseKey;
  readonly rows: readonly MarkedPeople[];
  readonly median_tier: number;
};

async function joinSeen(db: Reader, { org_id, key, rows, median_tier }: Join): Promise<EarlierReport> {
  const { counts, people } = await getSeenRelease(db, org_id, key);
  return joinPeople(rows, { counts: completeCounts(counts), people }, median_tier);
}

/** The calendar year in UTC. */
export function buildPeriod(year: number): { readonly from: Date; readonly until: Date } {
  return { from: new Date(Date.UTC(year, 0)), until: new Date(Date.UTC(year + 1, 0)) };
}
