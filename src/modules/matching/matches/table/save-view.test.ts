import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';

const app = await startApp();
const path = '/orgs/me/table-views';

test('a view is saved for the whole organisation, and replaced by name', async () => {
  const org = await app.registerOrgAdmin();
  const viewer = await createColleague(app, org.org_id, 'org_viewer');
  const save = (body: object) => app.request('POST', path, { token: org.token, body });
  const first = await save({ name: 'To call', label: 'second round', sort: 'asked' });
  expect(first).toMatchObject({
    status: 200,
    body: {
      name: 'To call',
      label: 'second round',
      sort: 'asked',
      status: null,
      quality: null,
      is_new: false,
    },
  });
  const again = await save({ name: 'To call', waits_for: 'member' });
  expect(again.body).toMatchObject({ id: first.body.id, label: null, waits_for: 'member', sort: 'fit' });
  const other = await save({ name: 'New', is_new: true });
  const list = (token: string) => app.request('GET', path, { token });
  expect((await list(viewer.token)).body.data).toEqual([other.body, again.body]);
  expect((await list((await app.registerOrgAdmin()).token)).body.data).toEqual([]);
});

test('an organisation saves twenty views, and can still replace them', async () => {
  const { token } = await app.registerOrgAdmin();
  const save = (name: string) => app.request('POST', path, { token, body: { name } });
  for (let number = 1; number <= 20; number++) expect((await save(`View ${number}`)).status).toBe(200);
  expect(await save('One more')).toMatchObject({ status: 409, body: { code: 'view_limit_reached' } });
  expect((await save('View 1')).status).toBe(200);
});

test('refuses bad input, strangers and other roles', async () => {
  const org = await app.registerOrgAdmin();
  const viewer = await createColleague(app, org.org_id, 'org_viewer');
  const member = await app.registerMember();
  const bad = await app.request('POST', path, {
    token: org.token,
    body: { name: ' ', label: 'x'.repeat(41), sort: 'secret' },
  });
  expect(bad.status).toBe(422);
  expect(bad.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
    expect.arrayContaining(['/name', '/label', '/sort']),
  );
  expect((await app.request('POST', path, { body: { name: 'x' } })).status).toBe(401);
  for (const { token } of [member, viewer]) {
    expect((await app.request('POST', path, { token, body: { name: 'x' } })).body.code).toBe(
      'role_not_allowed',
    );
  }
});
