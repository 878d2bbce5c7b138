import { beforeEach, expect, test } from 'vitest';
import { OperatorError } from '#platform/command-line.ts';
import { sql } from '#platform/database/database.ts';
import { checkBooks } from '#modules/income/books';
import { startApp, unknownId } from '#test/harness.ts';
import { postSold, createSold, recordSoldRead, sample_destination } from '#test/modules/books.ts';
import type { TestMember } from '#test/users.ts';
import { openPayout } from './advance-payout.ts';
import { returnPayout } from './return-payout.ts';
import { lockPayout, updateSending } from './store.ts';

const app = await startApp({ TESSERA_PAYOUT_HOLD_SECONDS: '0' });

let member: TestMember;
let payout: string;
beforeEach(async () => {
  member = await app.registerMember();
  await recordSoldRead(app, member.member_id, { gross: 4_000_000n, hold_seconds: 0 });
  const body = { amount: 2, destination: sample_destination };
  const requested = await app.request('POST', '/members/me/payouts', { token: member.token, body });
  if (requested.status !== 201) throw new Error(`the payout was refused with ${requested.status}`);
  payout = requested.body.id;
});

const returnIt = (fields: object = {}) =>
  returnPayout(app.platform, { payout, reason: 'the token refuses the address', ...fields });

const readEarnings = async () =>
  (await app.request('GET', '/members/me/earnings', { token: member.token })).body;

test('the member has the money of a payout that was never signed again, and may request another', async () => {
  expect(await returnIt()).toEqual({ returned: payout });
  expect(await readEarnings()).toMatchObject({
    available_amount: 3,
    in_payout_amount: 0,
    paid_out_amount: 0,
    total_earned: 3,
  });
  const { body } = await app.request('GET', '/members/me/payouts', { token: member.token });
  expect(body.data).toMatchObject([{ id: payout, status: 'returned', transaction_hash: null }]);
  const again = await app.request('POST', '/members/me/payouts', {
    token: member.token,
    body: { destination: sample_destination },
  });
  expect([again.status, again.body.amount]).toEqual([201, 3]);
  expect((await checkBooks(app.platform)).faults).toEqual([]);
  const { count } = await app.sql.one(
    sql<{ count: number }>`select count(*) from audit_log where action = 'ledger.payout_returned'`,
  );
  expect(count).toBe(1);
});

test('a payout that was signed, or has ended, is not returned', async () => {
  await app.platform.database.transaction((tx) =>
    updateSending(
      tx,
      { holder_id: member.member_id, id: payout },
      { transaction_hash: 'hash', signed_transaction: 'signed' },
      app.clock.now(),
    ),
  );
  await expect(returnIt()).rejects.toThrow(`payout ${payout} is sending`);
  await app.drainQueue();
  await expect(returnIt()).rejects.toThrow(`payout ${payout} is paid`);
  expect(await readEarnings()).toMatchObject({ available_amount: 1, paid_out_amount: 2 });
});

test('of a worker that signs and an operator who returns, the first one decides', async () => {
  const key = { holder_id: member.member_id, id: payout };
  let returning: Promise<unknown> | undefined;
  await app.platform.database.transaction(async (tx) => {
    await lockPayout(tx, key);
    returning = Promise.allSettled([returnIt()]).then(([outcome]) => outcome);
    const transfer = { transaction_hash: 'hash', signed_transaction: 'signed' };
    await updateSending(tx, key, transfer, app.clock.now());
  });
  expect(await returning).toMatchObject({ status: 'rejected' });
  expect(await readEarnings()).toMatchObject({ available_amount: 1, in_payout_amount: 2 });
});

test('refuses a payment that is owed back, an unknown id, text, and a missing reason', async () => {
  const sold = createSold(app);
  await postSold(app, sold);
  const refund = '3d2f6c1e-5a4b-4c3d-8e2f-1a0b9c8d7e6f';
  const at = app.clock.now();
  await app.platform.database.transaction((tx) =>
    openPayout(tx, {
      holder_id: sold.org_id,
      id: refund,
      kind: 'refund',
      status: 'requested',
      amount: 1n,
      rail: 'mock',
      destination: 'mock',
      payment_id: sold.payment_id,
      transaction_hash: null,
      signed_transaction: null,
      earlier_hashes: [],
      signed_at: null,
      requested_at: at,
      ended_at: null,
    }),
  );
  await expect(returnIt({ payout: refund })).rejects.toThrow('stays owed');
  await expect(returnIt({ payout: unknownId })).rejects.toThrow('there is no payout');
  await expect(returnIt({ payout: 'all' })).rejects.toThrow('is not the id of a payout');
  for (const reason of ['', ' ', 'x'.repeat(201)])
    await expect(returnIt({ reason })).rejects.toThrow(OperatorError);
});
