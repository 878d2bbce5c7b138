import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';

const app = await startApp();
const path = '/orgs/me/culture-profile/declaration';

test('all users of an organisation read whether it can declare its culture', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const viewer = await createColleague(app, org_id);
  const auditor = await createColleague(app, org_id, 'auditor');
  for (const each of [token, viewer.token, auditor.token]) {
    const { status, body } = await app.request('GET', path, { token: each });
    expect([status, body]).toEqual([200, { refused: null, possible_from: null }]);
  }
});

test('strangers, members and platform administrators do not', async () => {
  expect((await app.request('GET', path)).status).toBe(401);
  for (const { token } of [await app.registerMember(), await app.registerPlatformAdmin()])
    expect((await app.request('GET', path, { token })).body.code).toBe('role_not_allowed');
  const { token } = await app.registerOrgAdmin();
  expect((await app.request('GET', `${path}?x=1`, { token })).body.errors[0].pointer).toBe('/x');
});
