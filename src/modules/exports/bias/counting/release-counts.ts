import { findListedVersion, findLivePolicy } from '#modules/matching';
import type { Reader } from '#platform/database/database.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Context } from '#platform/operation.ts';
import { findDrivers } from '../drivers/find-drivers.ts';
import { findRelease, replaceRelease } from '../store.ts';
import { addUpKinds } from './kinds.ts';
import {
  buildCounts,
  completeCounts,
  isReleaseDue,
  mayReplace,
  type BiasCounts,
  type BiasRelease,
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
  const counts = !seen || isReleaseDue(seen, now()) ? await countTogether(context, subject) : undefined;
  const isReplaced = counts !== undefined && (!seen || mayReplace(seen.counts, counts));
  return context.transaction(async (tx) => {
    await record(tx);
    if (isReplaced) await replaceRelease(tx, subject, counts, { before: seen?.released_at, now: now() });
    // What another request has stored meanwhile is what everybody sees.
    const release = (await findRelease(tx, subject.org_id, subject.year))!;
    return { ...release, counts: completeCounts(release.counts) };
  });
}

const getCounting = instanceMemory(() => new Map<string, Promise<BiasCounts>>());

/** Requests that come while the same people are counted share the result, because each count holds a connection of the pool. */
function countTogether(context: ReleaseContext, subject: Subject): Promise<BiasCounts> {
  const counting = getCounting(context);
  const key = `${subject.org_id} ${subject.year}`;
  const counted = counting.get(key) ?? count(context, subject).finally(() => counting.delete(key));
  counting.set(key, counted);
  return counted;
}

async function count(context: ReleaseContext, subject: Subject): Promise<BiasCounts> {
  let counts: BiasCounts | undefined;
  for await (const counted of context.readSnapshot((db) => countInSnapshot(db, subject, context.now())))
    counts = counted;
  return counts!;
}

async function* countInSnapshot(
  db: Reader,
  { org_id, year }: Subject,
  now: Date,
): AsyncGenerator<BiasCounts, void> {
  const people = { org_id, ...buildPeriod(year) };
  const rows = await listCountedPeople(db, people, now);
  const [{ version }, policy] = [await findListedVersion(db), await findLivePolicy(db)];
  const counts = buildCounts(addUpKinds(rows), {
    parameter_version: version ?? null,
    policy_version: policy.version,
  });
  yield { ...counts, drivers: await findDrivers(db, people, counts) };
}

/** The calendar year in UTC. */
export function buildPeriod(year: number): { readonly from: Date; readonly until: Date } {
  return { from: new Date(Date.UTC(year, 0)), until: new Date(Date.UTC(year + 1, 0)) };
}
