import { parse } from 'csv-parse/sync';
import readWorkbook from 'read-excel-file/node';
import { expect, test } from 'vitest';
import { createCast } from '#test/cast.ts';
import { unknownId, startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { workbook_type } from './write-data-workbook.ts';

const app = await startApp();
const cast = await createCast(app);

const buildPath = (member_id: string) => `/exports/member/${member_id}/gdpr-data`;

test('returns all data about the member as one CSV with section, record, field and value', async () => {
  proves('export-gdpr-endpoint-jwt-csv', 'export-gdpr-only-the-member');
  const { token, member_id, email } = cast.deployed;
  const { status, headers, body } = await app.request('GET', buildPath(member_id), { token });
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(headers['content-disposition']).toBe('attachment; filename="tessera-data-2026-03-02.csv"');
  const [header, ...lines] = parse(body) as [string[], ...string[][]];
  expect(header).toEqual(['section', 'record', 'field', 'value']);
  expect(lines).toContainEqual(['members.member', '1', 'id', member_id]);
  expect(lines).toContainEqual(['members.member', '1', 'current_industry', 'health']);
  expect(lines).toContainEqual(['consent.consents', '2', 'consent_type', 'matching']);
  expect(lines).toContainEqual(['matching.matches', '1', 'job_title', 'Night nurse']);
  expect(lines.some(([section, , , value]) => section!.startsWith('auth.') && value === email)).toBe(true);
  expect(body).not.toMatch(/argon2|_hash|_sealed/);
});

test('returns the same table as a workbook, in which every text is as it was written', async () => {
  const { token, member_id } = await app.registerMember({ name: '=1+1 Zoë 漢字' });
  const reply = await app.server.inject({
    url: `/api/v1${buildPath(member_id)}?format=xlsx`,
    headers: { authorization: `Bearer ${token}` },
  });
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, workbook_type]);
  expect(reply.headers['content-disposition']).toBe('attachment; filename="tessera-data-2026-03-02.xlsx"');
  const [sheet] = await readWorkbook(reply.rawPayload);
  const [header, ...rows] = sheet!.data;
  expect(header).toEqual(['section', 'record', 'field', 'value']);
  expect(rows).toContainEqual(['members.member', 1, 'display_name', '=1+1 Zoë 漢字']);
  const { body } = await app.request('GET', `${buildPath(member_id)}?format=csv`, { token });
  expect(rows.map((row) => row.slice(0, 3).map(String))).toEqual(
    parse(body)
      .slice(1)
      .map((cells) => cells.slice(0, 3)),
  );
});

test('escapes cells that a spreadsheet would run as a formula', async () => {
  const { token, member_id } = await app.registerMember({ name: '=HYPERLINK("https://evil.example","me")' });
  const { body } = await app.request('GET', buildPath(member_id), { token });
  const lines = parse(body);
  expect(lines).toContainEqual([
    'members.member',
    '1',
    'display_name',
    `'=HYPERLINK("https://evil.example","me")`,
  ]);
  for (const cells of lines) for (const cell of cells) expect(cell).not.toMatch(/^[=+@\t\r]/);
});

test('replies for another member’s data as for a member that does not exist', async () => {
  proves('export-gdpr-only-the-member');
  const { token } = cast.neighbour;
  const foreign = await app.request('GET', buildPath(cast.deployed.member_id), { token });
  const absent = await app.request('GET', buildPath(unknownId), { token });
  expect([foreign.status, foreign.body.code]).toEqual([404, 'member_not_found']);
  expect([absent.status, absent.body.code]).toEqual([404, 'member_not_found']);
});

test('of many downloads of a member at once two are made, and the others say when to try again', async () => {
  const { token, member_id } = cast.deployed;
  const replies = await Promise.all(
    Array.from({ length: 30 }, () => app.request('GET', buildPath(member_id), { token })),
  );
  const refused = replies.filter(({ status }) => status !== 200);
  expect(replies.length - refused.length).toBeGreaterThanOrEqual(2);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, body, headers } of refused)
    expect([status, body.code, headers['retry-after']]).toEqual([429, 'too_many_exports', '5']);
  expect((await app.request('GET', buildPath(member_id), { token })).status).toBe(200);
});

test('refuses users of organisations and platform administrators', async () => {
  proves('export-gdpr-only-the-member');
  const { ours, platformAdmin, deployed } = cast;
  for (const { token } of [ours.admin, ours.viewer, ours.auditor, platformAdmin]) {
    const { status, body } = await app.request('GET', buildPath(deployed.member_id), { token });
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
});

test('refuses callers who are not logged in', async () => {
  const { status, body } = await app.request('GET', buildPath(cast.deployed.member_id));
  expect([status, body.code]).toEqual([401, 'authentication_required']);
});

test('rejects an id that is not a UUID, and an unknown field', async () => {
  const { token, member_id } = cast.deployed;
  expect((await app.request('GET', buildPath('me'), { token })).status).toBe(422);
  expect((await app.request('GET', `${buildPath(member_id)}?format=pdf`, { token })).status).toBe(422);
});
