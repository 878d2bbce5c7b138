import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { followBoard, sendWithoutRights } from '#test/modules/job-boards.ts';

const app = await startApp();
const { token, org_id } = await app.registerOrgAdmin();

test('administrators see the boards that their own organisation follows, newest first', async () => {
  const first = await followBoard(app, token, 'first');
  app.clock.advance(1_000);
  const second = await followBoard(app, token, 'second');
  const { status, body } = await app.request('GET', '/orgs/me/boards', { token });
  const ids = body.data.map(({ id }: { id: string }) => id);
  expect([status, ids]).toEqual([200, [second.board_id, first.board_id]]);
  expect(body.data[0]).toMatchObject({ org_id, url: 'https://jobs.lever.co/second', posting_count: 1 });
  const other = await app.registerOrgAdmin();
  expect((await app.request('GET', '/orgs/me/boards', { token: other.token })).body.data).toEqual([]);
});

test('nobody else lists boards, and a page has a valid limit', async () => {
  const bad = await app.request('GET', '/orgs/me/boards?limit=0', { token });
  expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/limit']);
  expect(await sendWithoutRights(app, org_id, ['GET', 'boards'])).toEqual([401, 403]);
});
