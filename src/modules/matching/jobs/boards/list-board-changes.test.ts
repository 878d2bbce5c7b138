import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { followBoard, sendWithoutRights } from '#test/modules/job-boards.ts';

const app = await startApp();
const { token, org_id } = await app.registerOrgAdmin();
const { board_id, change_id } = await followBoard(app, token);

test('administrators see the changes of the boards of their own organisation, with drafts', async () => {
  const { status, body } = await app.request('GET', '/orgs/me/board-changes', { token });
  expect([status, body.pagination.total_count]).toEqual([200, 1]);
  expect(body.data).toEqual([
    {
      id: change_id,
      board_id,
      change: 'new',
      found_at: app.clock.now().toISOString(),
      draft: expect.objectContaining({ title: 'Ward nurse', job: null }),
    },
  ]);
  const other = await app.registerOrgAdmin();
  const theirs = await app.request('GET', '/orgs/me/board-changes', { token: other.token });
  expect(theirs.body.data).toEqual([]);
});

test('nobody else lists changes, and a page has a valid limit', async () => {
  const bad = await app.request('GET', '/orgs/me/board-changes?limit=0', { token });
  expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/limit']);
  expect(await sendWithoutRights(app, org_id, ['GET', 'board-changes'])).toEqual([401, 403]);
});
