import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkBooks } from '#modules/income/books';
import { sql, type Transaction } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createSold, listAccounts, postSold, sample_destination } from '#test/modules/books.ts';
import { postJournal } from '../journals/post-journal.ts';
import { buildReversalJournal } from '../journals/rules.ts';
import { findJournal, readBalances } from '../journals/store.ts';
import { advancePayout, openPayout } from './advance-payout.ts';
import type { PayoutRail, PreparedTransfer } from './payout-rail.ts';
import { listUnfinished, lockPayout } from './store.ts';

const app = await startApp();

/** The steps of a payout after which a process can be killed. `none` means that it lives. */
const kills = ['prepared', 'sent', 'outcome_read', 'none'] as const;

type Kill = (typeof kills)[number];

class KilledError extends Error {}

/**
 * A chain that accepts each transaction once, however often it is sent, as a real one does. A process is killed at the step of `kill`: what it did
 * before stays done, and everything after does not happen.
 */
function createChain() {
  const mined = new Map<string, 'paid' | 'failed'>();
  const state = { kill: 'none' as Kill, fate: 'paid' as 'paid' | 'failed' | 'lost' };
  const throwIfKilled = (step: Kill) => {
    if (state.kill === step) throw new KilledError(step);
  };
  const rail: PayoutRail = {
    prepareTransfer: async (_tx, { id }) => ({
      transaction_hash: `${id}:${randomUUID()}`,
      signed_transaction: '0x',
    }),
    sendTransfer: async ({ transaction_hash }: PreparedTransfer) => {
      throwIfKilled('prepared');
      if (state.fate !== 'lost' && !mined.has(transaction_hash)) mined.set(transaction_hash, state.fate);
      throwIfKilled('sent');
    },
    readOutcome: async ({ transaction_hash }) => {
      const state = mined.get(transaction_hash) ?? 'waiting';
      throwIfKilled('outcome_read');
      return { state, transaction_hash };
    },
    replaceTransfer: async (transfer) => transfer,
  };
  return { rail, state, listPaid: () => [...mined].filter(([, outcome]) => outcome === 'paid') };
}

type Chain = ReturnType<typeof createChain>;

async function openIncomePayout(member_id: string, amount: bigint): Promise<string> {
  const id = randomUUID();
  await app.platform.database.transaction((tx) =>
    openPayout(tx, {
      holder_id: member_id,
      id,
      kind: 'income',
      status: 'requested',
      amount,
      rail: 'chain',
      destination: sample_destination,
      payment_id: null,
      transaction_hash: null,
      signed_transaction: null,
      earlier_hashes: [],
      signed_at: null,
      requested_at: app.clock.now(),
      ended_at: null,
    }),
  );
  return id;
}

/** Runs the worker, which may be killed. */
async function runWorker({ rail, state }: Chain, member_id: string, kill: Kill): Promise<void> {
  state.kill = kill;
  const payouts = await listUnfinished(app.platform.database, undefined, 100);
  for (const payout of payouts.filter(({ holder_id }) => holder_id === member_id))
    await advancePayout(app.platform, rail, payout).catch((error: unknown) => {
      if (!(error instanceof KilledError)) throw error;
    });
}

const readNow = (member_id: string) => readBalances(app.sql, member_id, app.clock.now());

async function createEarner(gross = 4_000_000n): Promise<string> {
  const sale = createSold(app, { gross, hold_seconds: 0 });
  await postSold(app, sale);
  return sale.member_id;
}

describe('a worker that is killed', () => {
  test.each(kills)('after the step %s pays once, when another continues', async (kill) => {
    const [member_id, chain] = [await createEarner(), createChain()];
    await openIncomePayout(member_id, 1_000_000n);
    for (const each of [kill, kill, 'none', 'none'] as const) await runWorker(chain, member_id, each);
    expect(chain.listPaid()).toHaveLength(1);
    expect(await readNow(member_id)).toMatchObject({
      available: 2_000_000n,
      in_payout: 0n,
      paid_out: 1_000_000n,
    });
  });

  test('and several that run at once pay once', async () => {
    const [member_id, chain] = [await createEarner(), createChain()];
    await openIncomePayout(member_id, 1_000_000n);
    await Promise.all(Array.from({ length: 8 }, () => runWorker(chain, member_id, 'none')));
    expect(chain.listPaid()).toHaveLength(1);
    expect((await readNow(member_id)).paid_out).toBe(1_000_000n);
  });
});

describe('a transfer', () => {
  test('that fails gives the money back, and another payout may follow', async () => {
    const [member_id, chain] = [await createEarner(), createChain()];
    chain.state.fate = 'failed';
    await openIncomePayout(member_id, 1_000_000n);
    await runWorker(chain, member_id, 'none');
    expect(await readNow(member_id)).toMatchObject({ available: 3_000_000n, in_payout: 0n, paid_out: 0n });
    chain.state.fate = 'paid';
    await openIncomePayout(member_id, 3_000_000n);
    await runWorker(chain, member_id, 'none');
    expect(await readNow(member_id)).toMatchObject({ available: 0n, paid_out: 3_000_000n });
  });

  test('that got lost is sent again, and only the stored one', async () => {
    const [member_id, chain] = [await createEarner(), createChain()];
    chain.state.fate = 'lost';
    const id = await openIncomePayout(member_id, 1_000_000n);
    await runWorker(chain, member_id, 'none');
    const read = () => app.sql.transaction((tx) => lockPayout(tx, { holder_id: member_id, id }));
    const first = await read();
    expect(first?.status).toBe('sending');
    chain.state.fate = 'paid';
    await runWorker(chain, member_id, 'none');
    expect(await read()).toMatchObject({ status: 'paid', transaction_hash: first!.transaction_hash });
  });
});

type Step =
  | { readonly kind: 'sell'; readonly gross: bigint; readonly hold_seconds: number }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'payOut'; readonly part: number }
  | { readonly kind: 'work'; readonly kill: Kill; readonly fate: 'paid' | 'failed' | 'lost' }
  | { readonly kind: 'reverse'; readonly index: number };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('sell' as const),
        gross: fc.bigInt({ min: 1n, max: 2_000_000n }),
        hold_seconds: fc.constantFrom(0, 0, 60, 3_600),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 60, 3_600) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('payOut' as const), part: fc.integer({ min: 1, max: 100 }) }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('work' as const),
        kill: fc.constantFrom(...kills),
        fate: fc.constantFrom('paid' as const, 'failed' as const, 'lost' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reverse' as const), index: fc.nat(20) }) },
  ),
  { minLength: 6, maxLength: 20, size: 'max' },
);

type SoldSale = { readonly part: bigint; readonly available_at: number; readonly journal_id: string };

test('any sequence of sales, waits, payouts, reversals and killed workers leaves exactly what the model says', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const chain = createChain();
      const member_id = randomUUID();
      const sold: SoldSale[] = [];
      let open: { readonly id: string; readonly amount: bigint } | undefined;
      let paid_out = 0n;
      const sum = (sales: readonly SoldSale[]) => sales.reduce((total, { part }) => total + part, 0n);
      const isPending = ({ available_at }: SoldSale) => available_at > app.clock.now().getTime();
      const getAvailable = () =>
        sum(sold.filter((sale) => !isPending(sale))) - paid_out - (open?.amount ?? 0n);
      const finish: Record<Step['kind'], (step: never) => Promise<void>> = {
        sell: async ({ gross, hold_seconds }: { gross: bigint; hold_seconds: number }) => {
          const sale = createSold(app, { member_id, gross, hold_seconds });
          const { journal_id, member_share } = await postSold(app, sale);
          const available_at = sale.at.getTime() + 1000 * hold_seconds;
          sold.push({ part: member_share, available_at, journal_id });
        },
        wait: async ({ seconds }: { seconds: number }) => app.clock.advance(1000 * seconds),
        payOut: async ({ part }: { part: number }) => {
          const amount = (getAvailable() * BigInt(part)) / 100n;
          if (open || amount <= 0n) return;
          open = { id: await openIncomePayout(member_id, amount), amount };
        },
        work: async ({ kill, fate }: { kill: Kill; fate: 'paid' | 'failed' | 'lost' }) => {
          chain.state.fate = fate;
          await runWorker(chain, member_id, kill);
          if (!open) return;
          const payout = await app.sql.transaction((tx: Transaction) =>
            lockPayout(tx, { holder_id: member_id, id: open!.id }),
          );
          if (payout!.ended_at === null) return;
          if (payout!.status === 'paid') paid_out += open.amount;
          open = undefined;
        },
        reverse: async ({ index }: { index: number }) => {
          const [sale] = sold.splice(index % Math.max(1, sold.length), 1);
          if (!sale) return;
          await app.platform.database.transaction(async (tx) => {
            const journal = await findJournal(tx, member_id, sale.journal_id);
            await postJournal(tx, buildReversalJournal(journal!, { at: app.clock.now(), reason: 'test' }));
          });
        },
      };
      for (const step of sequence) {
        await finish[step.kind](step as never);
        const pending = sum(sold.filter(isPending));
        const balances = {
          pending,
          available: getAvailable(),
          in_payout: open?.amount ?? 0n,
          paid_out,
          total: pending + getAvailable() + (open?.amount ?? 0n) + paid_out,
        };
        expect(await readNow(member_id)).toEqual(balances);
        // The chain may have paid what the books do not know yet, and nothing else.
        const paid = chain.listPaid().length;
        const settled = await app.sql.one(
          sql<{
            count: number;
          }>`select count(*) from payouts where holder_id = ${member_id} and status = 'paid'`,
        );
        expect(paid === settled.count || (open !== undefined && paid === settled.count + 1)).toBe(true);
        const accounts = await listAccounts(app, member_id);
        expect(Object.values(accounts).reduce((total, balance) => total + balance, 0)).toBe(0);
      }
    }),
    { numRuns: 60 },
  );
  const { faults } = await checkBooks(app.platform);
  expect(faults.filter(({ code }) => !['journal_without_read', 'payout_stuck'].includes(code))).toEqual([]);
});
