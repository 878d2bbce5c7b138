import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { allowAgent } from '#test/modules/grants.ts';

const app = await startApp();

test('all agents of a user are disconnected, and nobody else’s', async () => {
  const [member, other] = [await app.registerMember(), await app.registerMember()];
  await allowAgent(app, member);
  await allowAgent(app, member, { client: { id: 'second', name: 'Second', redirect_host: 'b.example' } });
  await allowAgent(app, other);
  expect((await app.request('DELETE', '/auth/grants', { token: member.token })).status).toBe(204);
  const count = async (token: string) =>
    (await app.request('GET', '/auth/grants', { token })).body.pagination.total_count;
  expect([await count(member.token), await count(other.token)]).toEqual([0, 1]);
  expect((await app.request('DELETE', '/auth/grants')).status).toBe(401);
});
