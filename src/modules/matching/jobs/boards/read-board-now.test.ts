import { expect, test } from 'vitest';
import { createFetchOutbound } from '#platform/outbound/outbound.ts';
import { startApp, unknownId } from '#test/harness.ts';
import {
  createFollower,
  sendWithoutRights,
  startBoardServer,
  type BoardReplies,
} from '#test/modules/job-boards.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const replies: BoardReplies = new Map();
const boards = { replies, server: await startBoardServer(replies) };

test('a board is read at once, paused or not', async () => {
  const { id, serve, send, listChanges } = await createFollower(app, boards, { 1: 'Nurse' });
  await send('PATCH', `boards/${id}`, { is_active: false });
  serve({ 1: 'Nurse', 2: 'Clerk' });
  const { status, body } = await send('POST', `boards/${id}/read`);
  expect([status, body.posting_count, body.is_active]).toEqual([200, 2, false]);
  expect(new Set(await listChanges())).toEqual(
    new Set([
      ['new', 'Clerk'],
      ['new', 'Nurse'],
    ]),
  );
});

test('what is too long, too often redirected, inside the network or gone is refused at first and recorded later', async () => {
  const { path, id, send, readBoard, serve } = await createFollower(app, boards, { 1: 'Nurse', 2: 'Clerk' });
  const { fetchOutbound } = app.platform;
  const isAllowed = (address: string) => address === '127.0.0.1';
  Object.assign(app.platform, { fetchOutbound: createFetchOutbound({ allowPrivate: true, isAllowed }) });
  const inside = `${boards.server.replace('127.0.0.1', '127.0.0.2')}/board`;
  const loop = { status: 302, location: '/loop' };
  boards.replies.set('/loop', loop);
  const cases = [
    [{ body: ' '.repeat(1_000_001) }, 'sends a response that is too large'],
    [loop, 'redirects too often'],
    [{ status: 302, location: inside }, 'not on the public internet'],
    [{ status: 404 }, 'is not a page or board that exists'],
  ] as const;
  try {
    for (const [reply, reason] of cases) {
      boards.replies.set(path, reply);
      boards.replies.set('/other', reply);
      const refused = await send('POST', 'boards', { url: `${boards.server}/other` });
      expect([refused.status, refused.body.errors[0]]).toEqual([
        422,
        { pointer: '/url', reason: expect.stringContaining(reason) },
      ]);
      expect((await send('POST', `boards/${id}/read`)).body.last_fault).toContain(reason);
    }
  } finally {
    Object.assign(app.platform, { fetchOutbound });
  }
  serve({ 1: 'Nurse' });
  expect((await send('POST', `boards/${id}/read`)).body.last_fault).toBeNull();
  expect((await readBoard()).posting_count).toBe(1);
});

test('only administrators have boards read, and only those of their own organisation', async () => {
  const { id, admin, send } = await createFollower(app, boards, { 1: 'Nurse' });
  const other = await app.registerOrgAdmin();
  for (const board of [id, unknownId]) {
    const theirs = await app.request('POST', `/orgs/me/boards/${board}/read`, { token: other.token });
    expect([theirs.status, theirs.body.code]).toEqual([404, 'board_not_found']);
  }
  const bad = await send('POST', 'boards/no-id/read');
  expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/board_id']);
  expect(await sendWithoutRights(app, admin.org_id, ['POST', `boards/${id}/read`])).toEqual([401, 403]);
});
