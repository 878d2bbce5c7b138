import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { achievementDraft } from '#test/modules/offers.ts';

const app = await startApp();

test('the achievements of the organisation are listed in pages, the newest first, and no others', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const define = (token: string, name: string) => {
    app.clock.advance(1_000);
    return app.request('POST', '/orgs/me/achievements', { token, body: { ...achievementDraft, name } });
  };
  await define(ours.token, 'One');
  await define(ours.token, 'Two');
  await define(theirs.token, 'Three');
  const readPage = async (query: string) =>
    (await app.request('GET', `/orgs/me/achievements?limit=1${query}`, { token: ours.token })).body;
  const first = await readPage('');
  const second = await readPage(`&cursor=${first.pagination.next_cursor}`);
  expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(['Two', 'One']);
  expect(second.pagination).toEqual({ next_cursor: null, has_more: false, total_count: 2 });
  expect((await app.request('GET', '/orgs/me/achievements')).status).toBe(401);
  const { token } = await app.registerMember();
  expect((await app.request('GET', '/orgs/me/achievements', { token })).status).toBe(403);
});
