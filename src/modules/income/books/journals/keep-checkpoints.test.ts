import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { createSold, postSold } from '#test/modules/books.ts';
import { waitUntilBlocked } from '#test/wait-until-blocked.ts';
import { runTask } from '#test/modules/matching.ts';
import { checkBooks } from '../checking/check-books.ts';
import { postJournal } from './post-journal.ts';
import { postReadJournal } from '../earnings/record-read.ts';
import { buildReversalJournal } from './rules.ts';
import { findJournal, keepCheckpoint, readBalances } from './store.ts';
import { keepCheckpoints } from './keep-checkpoints.ts';

const app = await startApp();

const hour_ms = 3_600_000;
const addHours = (hours: number) => new Date(app.clock.now().getTime() + hours * hour_ms);

const makeCheckpoint = (holder: string, until: Date) =>
  app.platform.database.transaction((tx) => keepCheckpoint(tx, holder, until));

/** Sells so many reads of a member that are available at once. */
const postReads = (member_id: string, count: number) =>
  app.platform.database.transaction(async (tx) => {
    for (let sold = 0; sold < count; sold++)
      await postReadJournal(tx, createSold(app, { member_id, gross: 1_000_000n, hold_seconds: 0 }));
  });

const listCheckpoints = (holder: string) =>
  app.sql.list(sql<{ until: Date; income_micros: number; paid_micros: number }>`
    select until, income_micros, paid_micros from ledger_checkpoints where holder_id = ${holder}`);

const findCheckpointFaults = async (on: TestApp) =>
  (await checkBooks(on.platform)).faults.filter(({ code }) => code === 'checkpoint_wrong');

/** Inserts a payout that was paid, around the module: only balances read it here. */
const insertPaid = (holder: string, amount: bigint, ended_at: Date) =>
  app.sql.run(sql`
    insert into payouts (holder_id, id, kind, status, amount_micros, rail, requested_at, ended_at)
    values (${holder}, ${randomUUID()}, 'income', 'paid', ${String(amount)}, 'mock', ${ended_at}, ${ended_at})`);

test('with and without checkpoints, whenever they are made, a balance is the sum of all postings and payouts', async () => {
  const hours = fc.integer({ min: -48, max: 48 });
  const step = fc.oneof(
    fc.record({ do: fc.constant('sell' as const), hours, gross: fc.bigInt({ min: 1n, max: 9_999_999n }) }),
    fc.record({ do: fc.constant('reverse' as const), sold: fc.nat({ max: 20 }) }),
    fc.record({ do: fc.constant('pay' as const), hours, amount: fc.bigInt({ min: 1n, max: 999_999n }) }),
    fc.record({ do: fc.constant('checkpoint' as const), hours: fc.integer({ min: -48, max: 0 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
      const member_id = randomUUID();
      const incomes: { journal: string; available_at: Date; amount: bigint; isReversed: boolean }[] = [];
      let paid_out = 0n;
      for (const each of steps) {
        if (each.do === 'sell') {
          const at = addHours(each.hours);
          const { journal_id, member_share } = await postSold(
            app,
            createSold(app, { member_id, gross: each.gross, at, hold_seconds: 0 }),
          );
          incomes.push({ journal: journal_id, available_at: at, amount: member_share, isReversed: false });
        }
        const reversed = each.do === 'reverse' ? incomes[each.sold] : undefined;
        if (reversed && !reversed.isReversed) {
          await app.platform.database.transaction(async (tx) => {
            const journal = (await findJournal(tx, member_id, reversed.journal))!;
            await postJournal(tx, buildReversalJournal(journal, { at: app.clock.now(), reason: 'dropped' }));
          });
          reversed.isReversed = true;
        }
        if (each.do === 'pay') {
          await insertPaid(member_id, each.amount, addHours(each.hours));
          paid_out += each.amount;
        }
        if (each.do === 'checkpoint') await makeCheckpoint(member_id, addHours(each.hours));
        const left = incomes.filter(({ isReversed }) => !isReversed);
        const sum = (isWanted: (at: Date) => boolean) =>
          left
            .filter(({ available_at }) => isWanted(available_at))
            .reduce((all, one) => all + one.amount, 0n);
        expect(await readBalances(app.sql, member_id, app.clock.now())).toMatchObject({
          pending: sum((at) => at > app.clock.now()),
          available: sum((at) => at <= app.clock.now()),
          paid_out,
        });
      }
    }),
    { numRuns: 25 },
  );
  expect(await findCheckpointFaults(app)).toEqual([]);
});

test('a checkpoint waits for a sold that is not committed yet, and contains it', async () => {
  const member_id = randomUUID();
  const sold = createSold(app, { member_id, gross: 1_000_000n, hold_seconds: 0 });
  let making: Promise<void> | undefined;
  let isMade = false;
  await app.platform.database.transaction(async (tx) => {
    await postReadJournal(tx, sold);
    making = makeCheckpoint(member_id, addHours(1)).then(() => void (isMade = true));
    await waitUntilBlocked(app);
    expect(isMade).toBe(false);
  });
  await making;
  expect(await listCheckpoints(member_id)).toMatchObject([{ income_micros: 750_000 }]);
});

test('a posting into the time of a checkpoint ends it, and the next one has everything', async () => {
  const member_id = randomUUID();
  await postReads(member_id, 2);
  await makeCheckpoint(member_id, addHours(1));
  expect(await listCheckpoints(member_id)).toMatchObject([{ income_micros: 1_500_000 }]);
  await postSold(app, createSold(app, { member_id, hold_seconds: 7_200 }));
  expect(await listCheckpoints(member_id)).toHaveLength(1);
  await postReads(member_id, 1);
  expect(await listCheckpoints(member_id)).toEqual([]);
  await makeCheckpoint(member_id, addHours(1));
  expect(await listCheckpoints(member_id)).toMatchObject([{ income_micros: 2_250_000 }]);
});

test('a checkpoint moves forward only, and refuses an old snapshot', async () => {
  const member_id = randomUUID();
  await postReads(member_id, 1);
  await makeCheckpoint(member_id, addHours(2));
  await makeCheckpoint(member_id, addHours(1));
  expect(await listCheckpoints(member_id)).toMatchObject([{ until: addHours(2) }]);
  const inSnapshot = app.platform.database.transaction((tx) => keepCheckpoint(tx, member_id, addHours(3)), {
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
  const member_id = randomUUID();
  await postSold(own, createSold(own, { member_id, hold_seconds: 0 }));
  await own.sql.transaction((tx) => keepCheckpoint(tx, member_id, own.clock.now()));
  expect(await findCheckpointFaults(own)).toEqual([]);
  await own.sql.run(sql`update ledger_checkpoints set income_micros = income_micros + 1, paid_micros = 3`);
  expect(await findCheckpointFaults(own)).toEqual([
    {
      code: 'checkpoint_wrong',
      id: member_id,
      detail: 'income 187501 instead of 187500, paid 3 instead of 0',
    },
  ]);
});
