import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import {
  createFollower,
  followBoard,
  passDay,
  sendWithoutRights,
  startBoardServer,
  type BoardReplies,
} from '#test/modules/job-boards.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const replies: BoardReplies = new Map();
const boards = { replies, server: await startBoardServer(replies) };

test('a change that was put aside comes back when its posting changes', async () => {
  const { serve, send, listChanges } = await createFollower(app, boards, { 1: 'Nurse' });
  const [{ id }] = (await send('GET', 'board-changes')).body.data;
  expect((await send('DELETE', `board-changes/${id}`)).status).toBe(204);
  expect((await send('DELETE', `board-changes/${id}`)).body.code).toBe('board_changes_not_found');
  await passDay(app);
  expect(await listChanges()).toEqual([]);
  serve({ 1: 'Ward nurse' });
  await passDay(app);
  expect(await listChanges()).toEqual([['new', 'Ward nurse']]);
});

test('only administrators put changes aside, and only those of their own organisation', async () => {
  const [{ token, org_id }, other] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const { change_id } = await followBoard(app, token);
  const sendDismissal = (id: string, by: string) =>
    app.request('DELETE', `/orgs/me/board-changes/${id}`, { token: by });
  for (const id of [change_id, unknownId]) {
    const theirs = await sendDismissal(id, other.token);
    expect([theirs.status, theirs.body.code]).toEqual([404, 'board_changes_not_found']);
  }
  const bad = await sendDismissal('no-id', token);
  expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/change_id']);
  const refused = await sendWithoutRights(app, org_id, ['DELETE', `board-changes/${change_id}`]);
  expect(refused).toEqual([401, 403]);
  expect((await sendDismissal(change_id, token)).status).toBe(204);
});
