import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { createSale, postSale } from '#test/modules/ledger.ts';
import { waitUntilBlocked } from '#test/wait-until-blocked.ts';
import { runTask } from '#test/modules/matching.ts';
import { checkLedger } from '../checking/check-ledger.ts';
import { postJournal } from '../post-journal.ts';
import { postReadJournal } from '../post-sales.ts';
import { buildReversalJournal } from '../rules.ts';
import { findJournal, readBalances } from '../store.ts';
import { keepCheckpoints } from './keep-checkpoints.ts';
import { keepCheckpoint } from './store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const hour_ms = 3_600_000;
const addHours = (hours: number) => new Date(app.clock.now().getTime() + hours * hour_ms);

const makeCheckpoint = (holder: string, until: Date) =>
  app.platform.database.transaction((tx) => keepCheckpoint(tx, holder, until));

/** Sells so many reads of a member that are available at once. */
const postReads = (memberId: string, count: number) =>
  app.platform.database.transaction(async (tx) => {
    for (let sale = 0; sale < count; sale++)
      await postReadJournal(tx, createSale(app, { memberId, gross: 1_000_000n, holdSeconds: 0 }));
  });

const listCheckpoints = (holder: string) =>
  app.sql.list(sql<{ until: Date; income_micros: number; paid_micros: number }>`
    select until, income_micros, paid_micros from ledger_checkpoints where holder_id = ${holder}`);

const findCheckpointFaults = async (on: TestApp) =>
  (await checkLedger(on.platform, () => Promise.resolve(null))).faults.filter(
    ({ code }) => code === 'checkpoint_wrong',
  );

/** Inserts a payout that was paid, around the module: only balances read it here. */
const insertPaid = (holder: string, amount: bigint, ended_at: Date) =>
  app.sql.run(sql`
    insert into payouts (holder_id, id, kind, status, amount_micros, rail, requested_at, ended_at)
    values (${holder}, ${randomUUID()}, 'income', 'paid', ${String(amount)}, 'mock', ${ended_at}, ${ended_at})`);

test('with and without checkpoints, whenever they are made, a balance is the sum of all postings and payouts', async () => {
  const hours = fc.integer({ min: -48, max: 48 });
  const step = fc.oneof(
    fc.record({ do: fc.constant('sell' as const), hours, gross: fc.bigInt({ min: 1n, max: 9_999_999n }) }),
    fc.record({ do: fc.constant('reverse' as const), sale: fc.nat({ max: 20 }) }),
    fc.record({ do: fc.constant('pay' as const), hours, amount: fc.bigInt({ min: 1n, max: 999_999n }) }),
    fc.record({ do: fc.constant('checkpoint' as const), hours: fc.integer({ min: -48, max: 0 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
      const memberId = randomUUID();
      const incomes: { journal: string; available_at: Date; amount: bigint; isReversed: boolean }[] = [];
      let paidOut = 0n;
      for (const each of steps) {
        if (each.do === 'sell') {
          const at = addHours(each.hours);
          const { journalId, memberShare } = await postSale(
            app,
            createSale(app, { memberId, gross: each.gross, at, holdSeconds: 0 }),
          );
          incomes.push({ journal: journalId, available_at: at, amount: memberShare, isReversed: false });
        }
        const reversed = each.do === 'reverse' ? incomes[each.sale] : undefined;
        if (reversed && !reversed.isReversed) {
          await app.platform.database.transaction(async (tx) => {
            const journal = (await findJournal(tx, memberId, reversed.journal))!;
            await postJournal(tx, buildReversalJournal(journal, { at: app.clock.now(), reason: 'dropped' }));
          });
          reversed.isReversed = true;
        }
        if (each.do === 'pay') {
          await insertPaid(memberId, each.amount, addHours(each.hours));
          paidOut += each.amount;
        }
        if (each.do === 'checkpoint') await makeCheckpoint(memberId, addHours(each.hours));
        const left = incomes.filter(({ isReversed }) => !isReversed);
        const sum = (isWanted: (at: Date) => boolean) =>
          left
            .filter(({ available_at }) => isWanted(available_at))
            .reduce((all, one) => all + one.amount, 0n);
        expect(await readBalances(app.sql, memberId, app.clock.now())).toMatchObject({
          pending: sum((at) => at > app.clock.now()),
          available: sum((at) => at <= app.clock.now()),
          paidOut,
        });
      }
    }),
    { numRuns: 25 },
  );
  expect(await findCheckpointFaults(app)).toEqual([]);
});

test('a checkpoint waits for a sale that is not committed yet, and contains it', async () => {
  const memberId = randomUUID();
  const sale = createSale(app, { memberId, gross: 1_000_000n, holdSeconds: 0 });
  let making: Promise<void> | undefined;
  let isMade = false;
  await app.platform.database.transaction(async (tx) => {
    await postReadJournal(tx, sale);
    making = makeCheckpoint(memberId, addHours(1)).then(() => void (isMade = true));
    await waitUntilBlocked(app);
    expect(isMade).toBe(false);
  });
  await making;
  expect(await listCheckpoints(memberId)).toMatchObject([{ income_micros: 750_000 }]);
});

test('a posting into the time of a checkpoint ends it, and the next one has everything', async () => {
  const memberId = randomUUID();
  await postReads(memberId, 2);
  await makeCheckpoint(memberId, addHours(1));
  expect(await listCheckpoints(memberId)).toMatchObject([{ income_micros: 1_500_000 }]);
  await postSale(app, createSale(app, { memberId, holdSeconds: 7_200 }));
  expect(await listCheckpoints(memberId)).toHaveLength(1);
  await postReads(memberId, 1);
  expect(await listCheckpoints(memberId)).toEqual([]);
  await makeCheckpoint(memberId, addHours(1));
  expect(await listCheckpoints(memberId)).toMatchObject([{ income_micros: 2_250_000 }]);
});

test('a checkpoint moves forward only, and refuses an old snapshot', async () => {
  const memberId = randomUUID();
  await postReads(memberId, 1);
  await makeCheckpoint(memberId, addHours(2));
  await makeCheckpoint(memberId, addHours(1));
  expect(await listCheckpoints(memberId)).toMatchObject([{ until: addHours(2) }]);
  const inSnapshot = app.platform.database.transaction((tx) => keepCheckpoint(tx, memberId, addHours(3)), {
    isolation: 'repeatable read',
  });
  await expect(inSnapshot).rejects.toThrow('read committed');
});

test('the task makes checkpoints of members with many postings, and none of others', async () => {
  const [popular, other] = [randomUUID(), randomUUID()];
  await postReads(popular, 100);
  await postReads(other, 99);
  app.clock.advance(2 * hour_ms);
  await runTask(app, keepCheckpoints, {});
  expect(await listCheckpoints(popular)).toMatchObject([{ until: addHours(-1), income_micros: 75_000_000 }]);
  expect(await listCheckpoints(other)).toEqual([]);
});

test('the check finds a checkpoint that is not the sum of its postings', async () => {
  const own = await startApp();
  const memberId = randomUUID();
  await postSale(own, createSale(own, { memberId, holdSeconds: 0 }));
  await own.sql.transaction((tx) => keepCheckpoint(tx, memberId, own.clock.now()));
  expect(await findCheckpointFaults(own)).toEqual([]);
  await own.sql.run(sql`update ledger_checkpoints set income_micros = income_micros + 1, paid_micros = 3`);
  expect(await findCheckpointFaults(own)).toEqual([
    {
      code: 'checkpoint_wrong',
      id: memberId,
      detail: 'income 187501 instead of 187500, paid 3 instead of 0',
    },
  ]);
});
