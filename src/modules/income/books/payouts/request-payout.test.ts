import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestRequest } from '#test/harness.ts';
import { listAccounts, sample_destination as destination, recordSoldRead } from '#test/modules/books.ts';
import type { TestMember } from '#test/users.ts';
import { waitUntilBlocked } from '#test/wait-until-blocked.ts';

const app = await startApp({ TESSERA_PAYOUT_HOLD_SECONDS: '3600' });

const hold_seconds = 3_600;

/** A member with an available income of 3 USD and a pending one of 0.75 USD. */
async function createEarner(on = app): Promise<TestMember> {
  const member = await on.registerMember();
  const at = new Date(on.clock.now().getTime() - 1000 * hold_seconds);
  await recordSoldRead(on, member.member_id, { gross: 4_000_000n, hold_seconds, at });
  await recordSoldRead(on, member.member_id, { gross: 1_000_000n, hold_seconds });
  return member;
}

const requestPayout = (member: { token: string }, body: unknown, more: Partial<TestRequest> = {}, on = app) =>
  on.request('POST', '/members/me/payouts', { token: member.token, body, ...more });

const readEarnings = async ({ token }: { token: string }) =>
  (await app.request('GET', '/members/me/earnings', { token })).body;

test('an available amount is on its way, and then paid out', async () => {
  const member = await createEarner();
  const { status, body } = await requestPayout(member, { amount: 2.5, destination });
  expect([status, body]).toEqual([
    201,
    {
      id: expect.any(String),
      status: 'requested',
      amount: 2.5,
      currency: 'USD',
      destination,
      transaction_hash: null,
      requested_at: app.clock.now().toISOString(),
      ended_at: null,
    },
  ]);
  const parts = { total_earned: 3.75, pending_amount: 0.75, available_amount: 0.5 };
  expect(await readEarnings(member)).toMatchObject({ ...parts, in_payout_amount: 2.5, paid_out_amount: 0 });
  await app.drainQueue();
  expect(await readEarnings(member)).toMatchObject({ ...parts, in_payout_amount: 0, paid_out_amount: 2.5 });
  expect(await listAccounts(app, member.member_id)).toEqual({
    cash_mock: 2_500_000,
    member_income: -1_250_000,
    payouts_in_progress: 0,
    platform_income: -1_250_000,
  });
});

test('without an amount, everything that is available is paid out, and nothing that is pending', async () => {
  const member = await createEarner();
  expect((await requestPayout(member, { destination })).body.amount).toBe(3);
  expect(await readEarnings(member)).toMatchObject({ available_amount: 0, pending_amount: 0.75 });
});

test('the owner gets an email, and the audit log has an entry', async () => {
  const member = await createEarner();
  const { body } = await requestPayout(member, { destination });
  await app.drainQueue();
  const mails = (await app.readMails()).filter(
    ({ to, subject }) => to.includes(member.email) && subject === 'A payout was requested',
  );
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).not.toContain(destination);
  const entries = await app.sql.list(
    sql`select action, detail from audit_log where member_id = ${member.member_id} and action like 'ledger.%'`,
  );
  expect(entries).toEqual([{ action: 'ledger.payout_requested', detail: { payout_id: body.id } }]);
});

test.each([
  [{ amount: 0.99, destination }, 422, 'payout_below_minimum'],
  [{ amount: 3.000001, destination }, 409, 'balance_too_low'],
  [{ amount: 1.0000001, destination }, 422, 'field_invalid'],
  [{ amount: 0, destination }, 422, 'field_invalid'],
  [{ amount: -1, destination }, 422, 'field_invalid'],
  [{ amount: 1e30, destination }, 422, 'field_invalid'],
  [{ amount: '2', destination }, 422, 'field_invalid'],
  [{ amount: 2 }, 422, 'field_invalid'],
  [{ amount: 2, destination: '0x12' }, 422, 'field_invalid'],
  [{ amount: 2, destination: `${destination}0` }, 422, 'field_invalid'],
  [{ amount: 2, destination, currency: 'EUR' }, 422, 'field_invalid'],
])('%j is refused with %i %s, and changes nothing', async (body, status, code) => {
  const member = await createEarner();
  const before = await readEarnings(member);
  const reply = await requestPayout(member, body);
  expect([reply.status, reply.body.code]).toEqual([status, code]);
  expect(await readEarnings(member)).toEqual(before);
  expect((await app.request('GET', '/members/me/payouts', { token: member.token })).body.data).toEqual([]);
});

test('a member without income is refused', async () => {
  const { body } = await requestPayout(await app.registerMember(), { destination });
  expect(body.code).toBe('payout_below_minimum');
});

test('one payout is in progress at a time, even for 20 concurrent requests', async () => {
  const member = await createEarner();
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => requestPayout(member, { amount: 1, destination })),
  );
  const codes = replies.map(({ status, body }): string => body.code ?? String(status));
  expect(codes.filter((code) => code === '201')).toHaveLength(1);
  expect(codes.filter((code) => code === 'payout_in_progress')).toHaveLength(19);
  expect(await readEarnings(member)).toMatchObject({ in_payout_amount: 1, available_amount: 2 });
});

test('the same Idempotency-Key pays once, however often it is sent', async () => {
  const member = await createEarner();
  const headers = { 'idempotency-key': 'payout-1' };
  const send = () => requestPayout(member, { amount: 1, destination }, { headers });
  const first = await send();
  await app.drainQueue();
  const again = await send();
  expect([again.status, again.body]).toEqual([first.status, first.body]);
  expect(await readEarnings(member)).toMatchObject({ paid_out_amount: 1, in_payout_amount: 0 });
});

test('a payout never takes more than was available, whatever raced with it', async () => {
  const member = await createEarner();
  for (let round = 0; round < 6; round++) {
    await Promise.all([
      ...Array.from({ length: 4 }, () => requestPayout(member, { amount: 1.3, destination })),
      app.drainQueue(),
    ]);
    await app.drainQueue();
  }
  const { available_amount, paid_out_amount } = await readEarnings(member);
  expect([paid_out_amount, available_amount]).toEqual([2.6, 0.4]);
});

test('a payout waits for a deletion or suspension of the account that has begun, and is then refused', async () => {
  for (const [account_status, code] of [
    ['pending_deletion', 'account_pending_deletion'],
    ['suspended', 'account_suspended'],
  ] as const) {
    const member = await createEarner();
    let requested: ReturnType<typeof requestPayout> | undefined;
    // The row is changed and not committed yet when the request arrives, whose token is still valid.
    await app.sql.transaction(async (tx) => {
      await tx.run(sql`update members set account_status = ${account_status} where id = ${member.member_id}`);
      requested = requestPayout(member, { destination });
      await waitUntilBlocked(app);
    });
    const { status, body } = await requested!;
    expect([status, body.code]).toEqual([403, code]);
    const { payouts } = await app.sql.one(
      sql<{ payouts: number }>`select count(*) as payouts from payouts where holder_id = ${member.member_id}`,
    );
    expect(payouts).toBe(0);
  }
});

test('an authentication of more than 15 minutes ago is not enough', async () => {
  const own = await startApp({ TESSERA_PAYOUT_HOLD_SECONDS: '3600' });
  const member = await createEarner(own);
  own.clock.advance(16 * 60_000);
  const { status, body } = await requestPayout(member, { destination }, {}, own);
  expect([status, body.code]).toEqual([403, 'recent_authentication_required']);
});

test('a service without a way to pay out keeps the income', async () => {
  const own = await startApp({
    TESSERA_PAYMENT_RAIL: 'transfer',
    TESSERA_EVM_RPC_URL: 'http://127.0.0.1:9',
    TESSERA_EVM_CHAIN_ID: '1',
    TESSERA_EVM_ASSET: destination,
    TESSERA_EVM_PAY_TO: destination,
    TESSERA_PAYOUT_HOLD_SECONDS: '3600',
  });
  const { status, body } = await requestPayout(await createEarner(own), { destination }, {}, own);
  expect([status, body.code]).toEqual([409, 'payouts_unavailable']);
});

test('only members have payouts', async () => {
  expect((await app.request('POST', '/members/me/payouts', { body: { destination } })).status).toBe(401);
  const { body } = await requestPayout(await app.registerOrgAdmin(), { destination });
  expect(body.code).toBe('role_not_allowed');
});
