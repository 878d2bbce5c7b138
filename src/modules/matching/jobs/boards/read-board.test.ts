import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { followBoard, sendWithoutRights } from '#test/modules/job-boards.ts';

const app = await startApp();
const { token, org_id } = await app.registerOrgAdmin();
const { board_id } = await followBoard(app, token);

test('administrators read how a board is followed, in the version that the list has', async () => {
  const { status, body, headers } = await app.request('GET', `/orgs/me/boards/${board_id}`, { token });
  const list = await app.request('GET', '/orgs/me/boards', { token });
  expect([status, body]).toEqual([200, list.body.data[0]]);
  expect(body).toMatchObject({ id: board_id, is_active: true, failure_count: 0, last_fault: null });
  expect(headers['etag']).toBeDefined();
});

test('only administrators read boards, and only those of their own organisation', async () => {
  const other = await app.registerOrgAdmin();
  for (const id of [board_id, unknownId]) {
    const theirs = await app.request('GET', `/orgs/me/boards/${id}`, { token: other.token });
    expect([theirs.status, theirs.body.code]).toEqual([404, 'board_not_found']);
  }
  const bad = await app.request('GET', '/orgs/me/boards/no-id', { token });
  expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/board_id']);
  expect(await sendWithoutRights(app, org_id, ['GET', `boards/${board_id}`])).toEqual([401, 403]);
});
