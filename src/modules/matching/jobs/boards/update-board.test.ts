import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { followBoard, sendWithoutRights } from '#test/modules/job-boards.ts';

const app = await startApp();
const { token, org_id } = await app.registerOrgAdmin();
const { board_id } = await followBoard(app, token);
const update = (body: object, more: { id?: string; by?: string; match?: string } = {}) =>
  app.request('PATCH', `/orgs/me/boards/${more.id ?? board_id}`, {
    token: more.by ?? token,
    body,
    ...(more.match !== undefined && { headers: { 'if-match': more.match } }),
  });

test('an administrator pauses a board, resumes it, and says whether it closes jobs', async () => {
  expect((await update({ is_active: false })).body).toMatchObject({ is_active: false, closes_gone: false });
  expect((await update({ closes_gone: true })).body).toMatchObject({ is_active: false, closes_gone: true });
  const { status, body } = await update({ is_active: true });
  expect([status, body.is_active, body.closes_gone]).toEqual([200, true, true]);
  expect((await app.request('GET', `/orgs/me/boards/${board_id}`, { token })).body).toEqual(body);
  expect((await update({ is_active: false }, { match: '"old"' })).status).toBe(412);
});

test('only administrators change boards, and only those of their own organisation', async () => {
  const other = await app.registerOrgAdmin();
  for (const id of [board_id, unknownId]) {
    const theirs = await update({ is_active: false }, { id, by: other.token });
    expect([theirs.status, theirs.body.code]).toEqual([404, 'board_not_found']);
  }
  const bad = await update({ is_active: 'maybe' });
  expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/is_active']);
  const refused = await sendWithoutRights(app, org_id, ['PATCH', `boards/${board_id}`, { is_active: false }]);
  expect(refused).toEqual([401, 403]);
});
