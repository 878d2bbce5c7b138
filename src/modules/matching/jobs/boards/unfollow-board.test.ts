import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { followBoard, sendWithoutRights } from '#test/modules/job-boards.ts';

const app = await startApp();
const { token, org_id } = await app.registerOrgAdmin();

test('a board that is given up is gone with its changes', async () => {
  const { board_id } = await followBoard(app, token);
  const path = `/orgs/me/boards/${board_id}`;
  expect((await app.request('DELETE', path, { token })).status).toBe(204);
  expect((await app.request('GET', path, { token })).status).toBe(404);
  expect((await app.request('GET', '/orgs/me/board-changes', { token })).body.data).toEqual([]);
  expect((await app.request('DELETE', path, { token })).status).toBe(404);
});

test('only administrators give boards up, and only those of their own organisation', async () => {
  const { board_id } = await followBoard(app, token);
  const other = await app.registerOrgAdmin();
  for (const id of [board_id, unknownId]) {
    const theirs = await app.request('DELETE', `/orgs/me/boards/${id}`, { token: other.token });
    expect([theirs.status, theirs.body.code]).toEqual([404, 'board_not_found']);
  }
  const bad = await app.request('DELETE', '/orgs/me/boards/no-id', { token });
  expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/board_id']);
  expect(await sendWithoutRights(app, org_id, ['DELETE', `boards/${board_id}`])).toEqual([401, 403]);
  expect((await app.request('GET', `/orgs/me/boards/${board_id}`, { token })).status).toBe(200);
});
