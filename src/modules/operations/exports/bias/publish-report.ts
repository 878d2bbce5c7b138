import { createHash } from 'node:crypto';
import { writeCanonicalJson } from '#lib/canonical-json.ts';
import { findListedVersion, findLivePolicy } from '#modules/matching/matches';
import type { Transaction } from '#platform/database/database.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Context } from '#platform/operation.ts';
import { buildTables } from './counting/build-tables.ts';
import { findMedianTier, tiers } from './counting/people.ts';
import { countPeople, countWaiting } from './counting/store-people.ts';
import { findDrivers } from './drivers/find-drivers.ts';
import { countAssessed, countAllAssessed } from './population/rules.ts';
import { findPopulation } from './population/store.ts';
import { buildPeriod, canPublish } from './publication-rules.ts';
import { purpose } from './statements.ts';
import { insertReport, lockReports } from './store.ts';
import type { PublishedCounts } from './wire.ts';

type PublishingContext = Pick<Context, 'database' | 'memory' | 'transaction' | 'now'>;

type Subject = { readonly org_id: string; readonly year: number };

const getPublishing = instanceMemory(() => new Map<string, Promise<void>>());

/**
 * Publishes a report of an organisation about a year, if one can be published. `record` runs in the same transaction. Requests that could publish the same report come one after the
 * other, because counting holds a connection of the pool.
 */
export async function publishIfPossible(
  context: PublishingContext,
  subject: Subject,
  record: (tx: Transaction) => Promise<void>,
): Promise<void> {
  const { database, transaction, now } = context;
  const waiting = await countWaiting(database, { ...subject, ...buildPeriod(subject.year) });
  if (!canPublish(subject.year, waiting, now())) return transaction(record);
  const publishing = getPublishing(context);
  const key = `${subject.org_id} ${subject.year}`;
  const before = publishing.get(key)?.catch(() => undefined);
  const own = Promise.resolve(before).then(() =>
    transaction(async (tx) => {
      await publish(tx, subject, now());
      await record(tx);
    }),
  );
  publishing.set(key, own);
  await own.finally(() => publishing.get(key) === own && publishing.delete(key));
}

async function publish(tx: Transaction, { org_id, year }: Subject, now: Date): Promise<void> {
  await lockReports(tx, org_id);
  // Another request may have published a report meanwhile.
  if (!canPublish(year, await countWaiting(tx, { org_id, ...buildPeriod(year) }), now)) return;
  const counts = await count(tx, { org_id, year }, now);
  await insertReport(tx, { org_id, year }, { published_at: now, counts });
}

async function count(tx: Transaction, { org_id, year }: Subject, now: Date): Promise<PublishedCounts> {
  const subject = { org_id, ...buildPeriod(year) };
  const rows = await countPeople(tx, subject, now);
  const population = await findPopulation(tx);
  const median_tier = findMedianTier(rows);
  const tables = await buildTables({
    rows,
    median_tier,
    assessed: countAllAssessed(population),
    countAssessed: (attribute, group) => countAssessed(population, attribute, group),
  });
  const drivers = await findDrivers(tx, subject, tables.comparisons);
  const [{ version }, policy] = [await findListedVersion(tx), await findLivePolicy(tx)];
  const counts = {
    ...tables,
    drivers: drivers.map((each) => ({ ...each, traits: [...each.traits] })),
    measurement: {
      measured_on: population ? population.released_at.toISOString().slice(0, 10) : null,
      precision: population ? [...population.counts.precision] : [],
      items: population ? population.counts.items.map((each) => ({ ...each, items: [...each.items] })) : [],
    },
  };
  return {
    ...counts,
    provenance: {
      purpose,
      taxonomy: 'MVP-20',
      parameter_version: version ?? null,
      policy_version: policy.version,
      median_tier: tiers[median_tier] ?? null,
      input_hash: hashCounts(counts),
    },
  };
}

/** Everything that is hashed is shown, so that nobody learns a number by trying all possible ones. */
function hashCounts(counts: object): string {
  return createHash('sha256')
    .update(writeCanonicalJson(JSON.parse(JSON.stringify(counts))))
    .digest('hex');
}
