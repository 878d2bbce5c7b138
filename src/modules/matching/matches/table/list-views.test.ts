import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';

const app = await startApp();
const path = '/orgs/me/table-views';

test('administrators and viewers list the views of their organisation by name, and nobody else does', async () => {
  const org = await app.registerOrgAdmin();
  for (const name of ['To call', 'New'])
    await app.request('POST', path, { token: org.token, body: { name } });
  const viewer = await createColleague(app, org.org_id, 'org_viewer');
  const list = async (token: string) => (await app.request('GET', path, { token })).body;
  for (const { token } of [org, viewer])
    expect((await list(token)).data.map(({ name }: { name: string }) => name)).toEqual(['New', 'To call']);
  expect((await list((await app.registerOrgAdmin()).token)).data).toEqual([]);
  const auditor = await createColleague(app, org.org_id, 'auditor');
  for (const { token } of [auditor, await app.registerMember(), await app.registerPlatformAdmin()])
    expect((await list(token)).code).toBe('role_not_allowed');
  expect((await app.request('GET', path)).status).toBe(401);
});
