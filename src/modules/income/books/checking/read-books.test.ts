import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { recordSoldRead, sample_destination } from '#test/modules/books.ts';
import { shiftTime } from '#test/shift-time.ts';

const app = await startApp({ TESSERA_PAYOUT_HOLD_SECONDS: '0' });
const operator: { readonly token: string } = await app.registerPlatformAdmin();
const member: { readonly token: string; readonly member_id: string } = await app.registerMember();
await recordSoldRead(app, member.member_id, { gross: 4_000_000n, hold_seconds: 0 });

const read = (token: string | undefined) =>
  app.request('GET', '/operator/ledger', token === undefined ? {} : { token });

test('the operator reads the trial balance, and payouts in progress without the member', async () => {
  const { status, body } = await read(operator.token);
  expect([status, body]).toEqual([
    200,
    {
      checked_at: app.clock.now().toISOString(),
      balanced: true,
      currency: 'USD',
      accounts: {
        cash_mock: 4,
        cash_chain: 0,
        cash_bank: 0,
        platform_income: -1,
        member_income: -3,
        payouts_in_progress: 0,
        owed_to_payers: 0,
        prepaid_balance: 0,
        balance_in_use: 0,
      },
      cash: null,
      fault_count: 0,
      faults: [],
      payouts: [],
    },
  ]);
  await app.request('POST', '/members/me/payouts', {
    token: member.token,
    body: { amount: 2, destination: sample_destination },
  });
  const next = (await read(operator.token)).body;
  expect(next.payouts).toMatchObject([{ kind: 'income', status: 'requested', amount: 2 }]);
  const text = JSON.stringify(next);
  for (const hidden of [member.member_id, sample_destination]) expect(text).not.toContain(hidden);
});

test('a check is shared for five minutes, and then made again', async () => {
  const { checked_at } = (await read(operator.token)).body;
  app.clock.advance(299_000);
  expect((await read(operator.token)).body.checked_at).toBe(checked_at);
  app.clock.advance(1_000);
  expect((await read(operator.token)).body.checked_at).toBe(app.clock.now().toISOString());
});

test('a fault is reported with what is wrong', async () => {
  await app.sql.run(sql`update payouts set requested_at = ${shiftTime('requested_at', -2)}`);
  app.clock.advance(300_000);
  const { body } = await read(operator.token);
  expect(body).toMatchObject({ balanced: false, fault_count: 1, faults: [{ code: 'payout_stuck' }] });
});

test('only the operator may ask', async () => {
  expect((await read(member.token)).body.code).toBe('role_not_allowed');
  expect((await read((await app.registerOrgAdmin()).token)).body.code).toBe('role_not_allowed');
  expect((await read(undefined)).status).toBe(401);
});
