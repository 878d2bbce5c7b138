import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { checkBooks, readBalances } from '#modules/income/books';
import { openDatabase, sql, type Database } from '#platform/database/database.ts';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { formatMilliseconds, formatRatio, type Benchmark } from './lib/report.ts';
import { startService } from './lib/service.ts';
import { postReadJournal } from '../src/modules/income/books/earnings/record-read.ts';
import type { Platform } from '#platform/platform.ts';

const clients = 32;

/** Measures whether sales of one popular member wait for each other, and what a balance and a check cost. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  await startService(cleaning, dataDir, [], { TESSERA_ROLES: 'api' });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const database = openDatabase({ ...settings, max: clients }, () => undefined);
  cleaning.defer(() => database.close());
  const sales = quick ? 320 : 16_000;
  const hot = randomUUID();
  // Connections, plans and tables are warm.
  await measureSales(database, () => randomUUID(), sales / 4);
  const spread = await measureSales(database, () => randomUUID(), sales);
  const popular = await measureSales(database, () => hot, sales);
  const counts = quick ? [1_000] : [1_000, 10_000, 100_000, 300_000];
  const balances: string[][] = [];
  for (const count of counts) {
    const member_id = randomUUID();
    await insertSales(database, member_id, count);
    const ms = await measureMedian(() => readBalances(database, member_id, new Date()));
    balances.push([count.toLocaleString('en'), formatMilliseconds(ms)]);
  }
  await database.run(sql`analyze ledger_postings, ledger_journals`);
  const started = performance.now();
  const platform = { database, now: () => new Date(), config: { payments: {} } } as unknown as Platform;
  const { faults } = await checkBooks(platform);
  const check_ms = performance.now() - started;
  return {
    title: 'The ledger',
    tables: [
      {
        head: [
          `journals of a sale, ${clients} at once`,
          'a second',
          'p50',
          'p99',
          'p99 / p50 (target: below 10×)',
        ],
        rows: [formatSales('each of another member', spread), formatSales('all of one member', popular)],
      },
      { head: ['sales of the member', 'balance'], rows: balances },
      {
        head: ['check of the ledger', 'faults'],
        rows: [[formatMilliseconds(check_ms), String(faults.length)]],
      },
    ],
    notes: [
      `A sale is one transaction with one journal and three postings, with fsync; ${sales.toLocaleString('en')} sales in each row. A balance is computed from all postings of the`,
      `member: the median of 11. The check reads the whole ledger, with ${counts.reduce((sum, each) => sum + each, 0).toLocaleString('en')} inserted sales beside the measured ones.`,
    ],
  };
};

type Sales = { readonly rate: number; readonly p50: number; readonly p99: number };

function formatSales(name: string, { rate, p50, p99 }: Sales): readonly string[] {
  return [
    name,
    Math.round(rate).toLocaleString('en'),
    formatMilliseconds(p50),
    formatMilliseconds(p99),
    formatRatio(p99 / p50),
  ];
}

async function measureSales(database: Database, chooseMember: () => string, count: number): Promise<Sales> {
  const times: number[] = [];
  const started = performance.now();
  const postSales = async () => {
    for (let sale = 0; sale < count / clients; sale++) {
      const begun = performance.now();
      await database.transaction((tx) =>
        postReadJournal(tx, {
          read_id: randomUUID(),
          member_id: chooseMember(),
          org_id: randomUUID(),
          payment_id: randomUUID(),
          rail: 'mock',
          gross: 250_000n,
          share_bps: 7_500,
          at: new Date(),
          hold_seconds: 604_800,
        }),
      );
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: clients }, postSales));
  const sorted = times.toSorted((one, other) => one - other);
  const pick = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!;
  return { rate: (1000 * times.length) / (performance.now() - started), p50: pick(0.5), p99: pick(0.99) };
}

/** Inserts balanced sales of a member in batches. */
async function insertSales(database: Database, member_id: string, count: number): Promise<void> {
  const batch = 2_500;
  for (let inserted = 0; inserted < count; inserted += batch)
    await database.run(sql`
      with sale as (
        insert into ledger_journals
          (holder_id, id, kind, idempotency_key, body_hash, org_id, read_id, payment_id, rail, share_bps, posted_at)
        select ${member_id}::uuid, gen_random_uuid(), 'read', gen_random_uuid(), sha256('x'), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(),
          'mock', 7500, now()
        from generate_series(1, ${Math.min(batch, count - inserted)}::integer) returning id)
      insert into ledger_postings (holder_id, journal_id, account, amount, available_at)
      select ${member_id}::uuid, id, account, amount, case account when 'member_income' then now() end
      from sale cross join (values ('cash_mock', 250000), ('member_income', -187500), ('platform_income', -62500)) as line (account, amount)`);
}

async function measureMedian(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 11; run++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times.toSorted((one, other) => one - other)[5]!;
}
