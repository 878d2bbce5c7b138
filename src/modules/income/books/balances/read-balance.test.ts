import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { fillBalance } from '#test/modules/balances.ts';

const app = await startApp({ TESSERA_TOP_UP_PAYEE: 'Harbour Bank, account 17' });

test('shows every user of an organisation what is left, and how to fill it', async () => {
  const org = await app.registerOrgAdmin();
  const viewer = await createColleague(app, org.org_id, 'org_viewer');
  const empty = await app.request('GET', '/orgs/me/balance', { token: org.token });
  expect([empty.status, empty.body]).toEqual([
    200,
    { balance: 0, currency: 'USD', warn_below: null, pay_to: 'Harbour Bank, account 17', announced: [] },
  ]);
  await fillBalance(app, org, 12.5);
  for (const { token } of [org, viewer])
    expect((await app.request('GET', '/orgs/me/balance', { token })).body.balance).toBe(12.5);
});

test('shows nothing of another organisation, and nothing to members and strangers', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  await fillBalance(app, theirs, 40);
  expect((await app.request('GET', '/orgs/me/balance', { token: ours.token })).body.balance).toBe(0);
  const member = await app.registerMember();
  expect((await app.request('GET', '/orgs/me/balance', { token: member.token })).status).toBe(403);
  expect((await app.request('GET', '/orgs/me/balance')).status).toBe(401);
});
