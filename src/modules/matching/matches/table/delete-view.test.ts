import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';

const app = await startApp();
const path = '/orgs/me/table-views';

test('a view is deleted once, by an administrator of its organisation', async () => {
  const org = await app.registerOrgAdmin();
  const viewer = await createColleague(app, org.org_id, 'org_viewer');
  const [member, other] = [await app.registerMember(), await app.registerOrgAdmin()];
  const saved = await app.request('POST', path, { token: org.token, body: { name: 'Ours' } });
  const remove = (token: string | undefined, id: string = saved.body.id) =>
    app.request('DELETE', `${path}/${id}`, { ...(token !== undefined && { token }) });
  expect((await remove(undefined)).status).toBe(401);
  for (const { token } of [member, viewer]) expect((await remove(token)).body.code).toBe('role_not_allowed');
  for (const id of [saved.body.id, unknownId])
    expect((await remove(other.token, id)).body.code).toBe('view_not_found');
  expect((await remove(org.token, 'x')).status).toBe(422);
  expect((await remove(org.token)).status).toBe(204);
  expect((await remove(org.token)).body.code).toBe('view_not_found');
});
