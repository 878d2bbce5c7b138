import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createCast } from '#test/cast.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { forceMatchStatus } from '#test/modules/matching.ts';
import { readPdfText } from '#test/read-pdf-text.ts';
import { proves } from '#test/requirements.ts';
import { findMachineWords } from '#test/web/list-machine-words.ts';

const app = await startApp();
const cast = await createCast(app);
const match_id = await cast.readMatchId(cast.deployed, cast.ours);

const buildPath = (id = match_id) => `/exports/match/${id}/detail-report`;
const download = (token: string, id?: string) =>
  app.server.inject({ url: `/api/v1${buildPath(id)}`, headers: { authorization: `Bearer ${token}` } });

/** Downloads the report once its explanation is written. */
async function downloadReport(token: string) {
  await download(token);
  await app.drainQueue();
  return download(token);
}

test('an administrator downloads a tagged PDF, with 202 while the explanation is written', async () => {
  proves('export-match-detail-report-endpoint-pdf');
  const { token } = cast.ours.admin;
  await app.sql.run(sql`delete from match_explanations`);
  const first = await download(token);
  expect([first.statusCode, first.json()]).toMatchObject([202, { status: 'queued' }]);
  expect(first.headers['location']).toContain(`/api/v1/tasks/${first.json().task_id}`);
  await app.drainQueue();
  const { statusCode, headers, rawPayload } = await download(token);
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="tessera-match-${match_id}.pdf"`,
  });
  const text = rawPayload.toString('latin1');
  for (const mark of ['%PDF-', '/Marked true', '/StructTreeRoot', 'pdfuaid']) expect(text).toContain(mark);
  expect(readPdfText(rawPayload)).toContain('Why this match');
  expect(findMachineWords(readPdfText(rawPayload))).toEqual([]);
  const log = await app.request('GET', '/audit-log?action=exports.match_report_exported', { token });
  expect(log.body.data[0]).toMatchObject({ detail: { match_id }, member_id: null });
});

test('a report is available after the member has withdrawn, without the explanation', async () => {
  const { token } = cast.ours.admin;
  const before = await downloadReport(token);
  await forceMatchStatus(app, match_id, 'withdrawn');
  const after = await download(token);
  expect(after.statusCode).toBe(200);
  expect(after.rawPayload.length).toBeLessThan(before.rawPayload.length);
  await forceMatchStatus(app, match_id, 'pending_review');
});

test('only administrators of the owning organisation read it', async () => {
  proves('export-match-detail-report-owning-org-admins-only');
  const { ours, theirs, platformAdmin, deployed } = cast;
  for (const { token } of [ours.viewer, ours.auditor, platformAdmin, deployed]) {
    const { statusCode, json } = await download(token);
    expect([statusCode, json().code]).toEqual([403, 'role_not_allowed']);
  }
  const foreign = await download(theirs.admin.token);
  expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'match_not_found']);
  const absent = await download(ours.admin.token, unknownId);
  expect([absent.statusCode, absent.json().code]).toEqual([404, 'match_not_found']);
  expect((await app.request('GET', buildPath())).status).toBe(401);
});

test('rejects an id that is not a UUID, and an unknown field', async () => {
  const { token } = cast.ours.admin;
  for (const path of [buildPath('1'), `${buildPath()}?format=csv`]) {
    const { status } = await app.request('GET', path, { token });
    expect([path, status]).toEqual([path, 422]);
  }
});
