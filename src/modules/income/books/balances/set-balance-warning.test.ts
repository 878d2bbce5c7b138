import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { fillBalance } from '#test/modules/balances.ts';

const app = await startApp();

const set = (token: string | undefined, body: object) =>
  app.request('PATCH', '/orgs/me/balance', { ...(token !== undefined && { token }), body });

test('sets the amount of the warning, before and after the balance is filled, and removes it', async () => {
  const org = await app.registerOrgAdmin();
  const first = await set(org.token, { warn_below: 5 });
  expect([first.status, first.body]).toMatchObject([200, { balance: 0, warn_below: 5 }]);
  await fillBalance(app, org, 20);
  expect((await set(org.token, { warn_below: 7.5 })).body).toMatchObject({ balance: 20, warn_below: 7.5 });
  expect((await set(org.token, { warn_below: null })).body).toMatchObject({ balance: 20, warn_below: null });
});

test('refuses wrong amounts, other roles and strangers', async () => {
  const org = await app.registerOrgAdmin();
  for (const warn_below of [0, -1, 'a', 0.015_000_01]) {
    const { status, body } = await set(org.token, { warn_below });
    expect([status, body.errors[0].pointer]).toEqual([422, '/warn_below']);
  }
  const viewer = await createColleague(app, org.org_id, 'org_viewer');
  expect((await set(viewer.token, { warn_below: 5 })).status).toBe(403);
  expect((await set(undefined, { warn_below: 5 })).status).toBe(401);
});
