import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { allowAgent } from '#test/modules/grants.ts';

const app = await startApp();

test('a user sees their own agents, newest first, in pages, with what each may do', async () => {
  const [member, other] = [await app.registerMember(), await app.registerMember()];
  await allowAgent(app, other);
  const first = await allowAgent(app, member, { allowed: ['read_profile'] });
  app.clock.advance(1_000);
  const second = await allowAgent(app, member, {
    client: { id: 'second', name: 'Second\u202e https://evil.example', redirect_host: 'second.example' },
  });
  const list = (query: string) => app.request('GET', `/auth/grants${query}`, { token: member.token });
  const { body } = await list('?limit=1');
  expect(body.pagination).toMatchObject({ has_more: true, total_count: 2 });
  expect(body.data[0]).toMatchObject({ id: second, client_name: 'Second https: / / evil. example' });
  const next = await list(`?limit=1&cursor=${encodeURIComponent(body.pagination.next_cursor)}`);
  expect(next.body.data).toEqual([
    {
      id: first,
      client_id: 'client-of-tests',
      client_name: 'Agent Desk',
      redirect_host: 'agent.example',
      tools: ['read_profile'],
      refused_tools: ['update_profile'],
      spend_cap: null,
      spent: 0,
      created_at: '2026-03-02T09:00:00.000Z',
      last_used_at: null,
      expires_at: '2026-05-31T09:00:00.000Z',
    },
  ]);
});

test('a list needs a login, and a cursor of its own', async () => {
  const { token } = await app.registerMember();
  expect((await app.request('GET', '/auth/grants')).status).toBe(401);
  const { status, body } = await app.request('GET', '/auth/grants?cursor=nonsense', { token });
  expect([status, body.code]).toEqual([400, 'cursor_invalid']);
});
