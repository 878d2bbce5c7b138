import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { forgetChallenges } from '#modules/income/payments';
import { startApp } from '#test/harness.ts';
import { runTask } from '#test/modules/matching.ts';

const app = await startApp();

const address = `0x${'ab'.repeat(20)}`;

test('the message names the service, the wallet and the organisation, and ends after ten minutes', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const { status, body } = await app.request('POST', '/orgs/me/wallets/challenge', {
    token,
    body: { address },
  });
  expect(status).toBe(200);
  expect(body.expires_at).toBe(new Date(app.clock.now().getTime() + 600_000).toISOString());
  for (const part of ['localhost:8420', org_id, body.expires_at]) expect(body.message).toContain(part);
});

test('an address that is none is refused, and so is a request without an account', async () => {
  const { token } = await app.registerOrgAdmin();
  for (const wrong of ['0x12', 'ab'.repeat(20), `0x${'zz'.repeat(20)}`, `${address}00`]) {
    const refused = await app.request('POST', '/orgs/me/wallets/challenge', {
      token,
      body: { address: wrong },
    });
    expect([refused.status, refused.body.errors?.[0].pointer]).toEqual([422, '/address']);
  }
  expect((await app.request('POST', '/orgs/me/wallets/challenge', { body: { address } })).status).toBe(401);
  const member = await app.registerMember();
  const { body } = await app.request('POST', '/orgs/me/wallets/challenge', {
    token: member.token,
    body: { address },
  });
  expect(body.code).toBe('role_not_allowed');
});

test('challenges that have expired are deleted', async () => {
  const { token } = await app.registerOrgAdmin();
  const count = async () =>
    (await app.sql.one(sql<{ count: number }>`select count(*) from payment_wallet_challenges`)).count;
  await app.request('POST', '/orgs/me/wallets/challenge', { token, body: { address } });
  const before = await count();
  await runTask(app, forgetChallenges, {});
  expect(await count()).toBe(before);
  app.clock.advance(600_000);
  await runTask(app, forgetChallenges, {});
  expect(await count()).toBe(0);
});
