import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { recordSoldRead } from '#test/modules/books.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const readEarnings = (token: string) => app.request('GET', '/members/me/earnings', { token });

test('a new member has earned nothing', async () => {
  const { token } = await app.registerMember();
  expect((await readEarnings(token)).body).toEqual({
    currency: 'USD',
    total_earned: 0,
    pending_amount: 0,
    available_amount: 0,
    in_payout_amount: 0,
    paid_out_amount: 0,
    transaction_count: 0,
    recognition_count: 0,
    unique_organisations: 0,
  });
});

test('paid reads earn income, free reads recognition, and every organisation counts once', async () => {
  proves(
    'earnings-member-endpoint-jwt',
    'open-earnings-response-field-names',
    'ledger-free-read-earns-recognition',
    'ledger-paid-read-earns-identity-income',
  );
  const [{ token, member_id }, other] = [await app.registerMember(), await app.registerMember()];
  const { org_id } = await app.registerOrgAdmin();
  await recordSoldRead(app, member_id, { gross: 250_000n, org_id });
  await recordSoldRead(app, member_id, { gross: 33_333n, org_id });
  await recordSoldRead(app, member_id, { org_id });
  await recordSoldRead(app, member_id);
  await recordSoldRead(app, other.member_id, { gross: 1_000_000n });
  expect((await readEarnings(token)).body).toMatchObject({
    total_earned: 0.212499,
    pending_amount: 0.212499,
    available_amount: 0,
    transaction_count: 2,
    recognition_count: 2,
    unique_organisations: 2,
  });
});

test('is the member’s own', async () => {
  expect((await app.request('GET', '/members/me/earnings')).status).toBe(401);
  const { token } = await app.registerOrgAdmin();
  expect((await readEarnings(token)).body.code).toBe('role_not_allowed');
});
