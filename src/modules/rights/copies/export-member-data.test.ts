import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import { createCast, type Cast } from '#test/cast.ts';
import { unknownId, startApp, type TestApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';

let app: TestApp;
let cast: Cast;
beforeAll(async () => {
  app = await startApp();
  cast = await createCast(app);
});

const at = (member_id: string) => `/exports/member/${member_id}/gdpr-data`;

test('the member gets everything that is held as one CSV of section, record, field and value', async () => {
  proves('export-gdpr-endpoint-jwt-csv', 'export-gdpr-only-the-member');
  const { token, member_id, email } = cast.deployed;
  const { status, headers, body } = await app.request('GET', at(member_id), { token });
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

test('a spreadsheet runs nothing of what a member wrote', async () => {
  const { token, member_id } = await app.registerMember({ name: '=HYPERLINK("https://evil.example","me")' });
  const { body } = await app.request('GET', at(member_id), { token });
  const lines = parse(body);
  expect(lines).toContainEqual([
    'members.member',
    '1',
    'display_name',
    `'=HYPERLINK("https://evil.example","me")`,
  ]);
  for (const cells of lines) for (const cell of cells) expect(cell).not.toMatch(/^[=+@\t\r]/);
});

test('another member’s data is answered like nobody’s', async () => {
  proves('export-gdpr-only-the-member');
  const { token } = cast.neighbour;
  const foreign = await app.request('GET', at(cast.deployed.member_id), { token });
  const absent = await app.request('GET', at(unknownId), { token });
  expect([foreign.status, foreign.body.code]).toEqual([404, 'member_not_found']);
  expect([absent.status, absent.body.code]).toEqual([404, 'member_not_found']);
});

test('no operator of any role reads it, neither an organisation’s nor the platform’s', async () => {
  proves('export-gdpr-only-the-member');
  const { ours, platformAdmin, deployed } = cast;
  for (const { token } of [ours.admin, ours.viewer, ours.auditor, platformAdmin]) {
    const { status, body } = await app.request('GET', at(deployed.member_id), { token });
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
});

test('nobody reads it without signing in', async () => {
  const { status, body } = await app.request('GET', at(cast.deployed.member_id));
  expect([status, body.code]).toEqual([401, 'authentication_required']);
});

test('an id that is none, and a field that the request does not know, are refused', async () => {
  const { token, member_id } = cast.deployed;
  expect((await app.request('GET', at('me'), { token })).status).toBe(422);
  expect((await app.request('GET', `${at(member_id)}?format=xlsx`, { token })).status).toBe(422);
});
