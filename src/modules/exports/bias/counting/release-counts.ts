import { findListedVersion, findLivePolicy } from '#modules/matching';
import type { Reader } from '#platform/database/database.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Context } from '#platform/operation.ts';
import { findDrivers } from '../drivers/find-drivers.ts';
import { findRelease, listSeenReleases, storeRelease } from '../store.ts';
import { addUpKinds } from './kinds.ts';
import { buildMarks, joinPeople, type StoredMarks } from './join-people.ts';
import {
  buildCounts,
  completeCounts,
  hasShownGroups,
  isReleaseDue,
  mayReplace,
  releases_max,
  type BiasCounts,
  type BiasRelease,
  type StoredRelease,
} from './release-rules.ts';
import { listCountedPeople } from './store-people.ts';

type ReleaseContext = Pick<Context, 'database' | 'memory' | 'readSnapshot' | 'transaction' | 'now'>;

type Subject = { readonly org_id: string; readonly year: number };

/**
 * Finds the counts that an organisation may see about a year. They are counted again when a new report is due, and replace those that were seen
 * if the difference says nothing about a few people. `record` runs in the same transaction.
 */
export async function releaseCounts(
  context: ReleaseContext,
  subject: Subject,
  record: (tx: Parameters<Parameters<Context['transaction']>[0]>[0]) => Promise<void>,
): Promise<BiasRelease> {
  const { database, now } = context;
  const seen = await findRelease(database, subject.org_id, subject.year);
  const counted = !seen || isReleaseDue(seen, now()) ? await countTogether(context, subject) : undefined;
  const isReplaced = counted !== undefined && (!seen || mayReplace(seen.counts, counted.counts));
  return context.transaction(async (tx) => {
    await record(tx);
    if (isReplaced)
      await storeRelease(tx, { ...subject, number: chooseNumber(seen) }, counted, {
        replaced: findReplaced(seen),
        now: now(),
      });
    // What another request has stored meanwhile is what everybody sees.
    const release = (await findRelease(tx, subject.org_id, subject.year))!;
    return { ...release, counts: completeCounts(release.counts) };
  });
}

/** A count that shows no group is replaced: nothing follows from it. All others stay. */
function chooseNumber(seen: StoredRelease | undefined): number {
  return seen === undefined ? 1 : hasShownGroups(seen.counts) ? seen.number + 1 : seen.number;
}

function findReplaced(seen: StoredRelease | undefined): Date | null {
  return seen === undefined || hasShownGroups(seen.counts) ? null : seen.released_at;
}

/** A new count, and the marks of those who were counted. */
type Counted = { readonly counts: BiasCounts; readonly people: StoredMarks };

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

async function* countInSnapshot(
  db: Reader,
  { org_id, year }: Subject,
  now: Date,
): AsyncGenerator<Counted, void> {
  const subject = { org_id, ...buildPeriod(year) };
  const rows = await listCountedPeople(db, subject, now);
  const seen = await listSeenReleases(db, { org_id, year }, { limit: releases_max, others: other_years_max });
  const [{ version }, policy] = [await findListedVersion(db), await findLivePolicy(db)];
  const counts = buildCounts(
    addUpKinds(rows),
    { parameter_version: version ?? null, policy_version: policy.version },
    (median_tier) =>
      seen
        .map((each) => ({ ...each, counts: completeCounts(each.counts) }))
        .map((each) => joinPeople(rows, each, median_tier)),
  );
  const drivers = await findDrivers(db, subject, counts);
  yield { counts: { ...counts, drivers }, people: buildMarks(rows) };
}

/** The calendar year in UTC. */
export function buildPeriod(year: number): { readonly from: Date; readonly until: Date } {
  return { from: new Date(Date.UTC(year, 0)), until: new Date(Date.UTC(year + 1, 0)) };
}
