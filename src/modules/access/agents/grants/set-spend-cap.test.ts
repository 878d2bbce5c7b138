import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { allowAgent } from '#test/modules/grants.ts';

const app = await startApp();

test('the user changes the limit of an agent, which is recorded', async () => {
  const admin = await app.registerOrgAdmin();
  const id = await allowAgent(app, admin);
  const set = (spend_cap: unknown, token = admin.token) =>
    app.request('PATCH', `/auth/grants/${id}`, { token, body: { spend_cap } });
  expect((await set(20.5)).body).toMatchObject({ id, spend_cap: 20.5, spent: 0 });
  for (const bad of [0, -1, 1_000_000, '5', null, 0.010_000_1])
    expect((await set(bad)).body.code).toBe('field_invalid');
  expect((await set(1, (await app.registerOrgAdmin()).token)).body.code).toBe('grant_not_found');
  const { body } = await app.request('GET', '/audit-log', { token: admin.token });
  expect(body.data[0].action).toBe('grants.spend_cap_changed');
  app.clock.advance(901_000);
  expect((await set(30)).body.code).toBe('recent_authentication_required');
  expect((await app.request('PATCH', `/auth/grants/${id}`, { body: { spend_cap: 1 } })).status).toBe(401);
});

test('an agent without a tool that spends money has no limit to change', async () => {
  const member = await app.registerMember();
  const id = await allowAgent(app, member);
  const { body } = await app.request('PATCH', `/auth/grants/${id}`, {
    token: member.token,
    body: { spend_cap: 5 },
  });
  expect(body).toMatchObject({ code: 'field_invalid', errors: [{ pointer: '/spend_cap' }] });
});
