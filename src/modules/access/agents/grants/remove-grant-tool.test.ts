import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { allowAgent, findLiveGrant } from '#test/modules/grants.ts';

const app = await startApp();

test('a tool that is taken away is gone from the live grant; the last one ends it', async () => {
  const member = await app.registerMember();
  const id = await allowAgent(app, member);
  const take = (tool: string, token = member.token) =>
    app.request('DELETE', `/auth/grants/${id}/tools/${tool}`, { token });
  expect((await take('update_profile')).status).toBe(204);
  const live = await findLiveGrant(app.platform, app.sql, id);
  expect([live?.tools, live?.refused_tools]).toEqual([['read_profile'], ['update_profile']]);
  expect((await take('update_profile')).body.code).toBe('grant_tool_not_found');
  expect((await take('READ-PROFILE')).body.code).toBe('field_invalid');
  expect((await take('read_profile', (await app.registerMember()).token)).body.code).toBe('grant_not_found');
  expect((await app.request('DELETE', `/auth/grants/${id}/tools/read_profile`)).status).toBe(401);
  expect((await take('read_profile')).status).toBe(204);
  expect(await findLiveGrant(app.platform, app.sql, id)).toBeUndefined();
});

test('without its last tool that spends money, a grant may spend nothing', async () => {
  const admin = await app.registerOrgAdmin();
  const id = await allowAgent(app, admin);
  await app.request('DELETE', `/auth/grants/${id}/tools/query_archetype`, { token: admin.token });
  expect((await findLiveGrant(app.platform, app.sql, id))?.spend_cap).toBeNull();
});
