import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';

const app = await startApp();

test('an organisation lists its own connections, without their keys', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  for (const partner of ['greenhouse', 'ashby']) {
    const body = { key: 'a-key-of-the-system' };
    await app.request('PUT', `/orgs/me/partners/${partner}`, { token: ours.token, body });
  }
  const { status, body } = await app.request('GET', '/orgs/me/partners', { token: ours.token });
  expect([status, body.data.map(({ partner }: { partner: string }) => partner)]).toEqual([
    200,
    ['ashby', 'greenhouse'],
  ]);
  expect(JSON.stringify(body)).not.toContain('a-key-of');
  expect((await app.request('GET', '/orgs/me/partners', { token: theirs.token })).body.data).toEqual([]);
});

test('refuses bad input, callers who are not logged in, and members', async () => {
  const [{ token }, member] = [await app.registerOrgAdmin(), await app.registerMember()];
  expect((await app.request('GET', '/orgs/me/partners?limit=1', { token })).status).toBe(422);
  expect((await app.request('GET', '/orgs/me/partners')).status).toBe(401);
  expect((await app.request('GET', '/orgs/me/partners', { token: member.token })).status).toBe(403);
});
