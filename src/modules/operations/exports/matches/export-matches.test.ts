import { parse } from 'csv-parse/sync';
import readWorkbook from 'read-excel-file/node';
import { beforeAll, expect, test } from 'vitest';
import { formatExternalId } from '#lib/external-id.ts';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { createCast } from '#test/cast.ts';
import { startApp, unknownId } from '#test/harness.ts';
import {
  createJob,
  fillMeans,
  fillSlots,
  forceMatchStatus,
  insertMembers,
  listStoredMatches,
  persistencePriorities,
  tierMeans,
} from '#test/modules/matching.ts';
import { proves } from '#test/requirements.ts';

const header = [
  'Job',
  'Job title',
  'Match ID',
  'Member ID',
  'Tier',
  'Status',
  'Provisional',
  'Computed on',
  'Your note',
  'Your labels',
];
const title = '=HYPERLINK("https://evil.example","Ärzte; +1")';

let jobs: readonly string[];
const app = await startApp();
const cast = await createCast(app);
const org = await app.registerOrgAdmin();
beforeAll(async () => {
  const tiers = ['developing', 'strong', 'moderate', 'exceptional'] as const;
  await insertMembers(
    app,
    tiers.map((tier) => ({ mean: fillMeans(tierMeans[tier]), variance: fillSlots(0.15) })),
  );
  jobs = [
    await createJob(app, org.token, persistencePriorities, title),
    await createJob(app, org.token, persistencePriorities, 'Archivist'),
  ].toSorted();
  await app.drainQueue();
});

const buildPath = (query = '', org_id = org.org_id) => `/exports/org/${org_id}/matches${query}`;
const download = (query = '', token = org.token) => app.request('GET', buildPath(query), { token });

test('a CSV has the rows of the lists, with a header and readable labels', async () => {
  proves(
    'export-org-matches-endpoint-jwt',
    'export-org-matches-format-query',
    'open-shape-export-org-matches-columns',
  );
  const { status, headers, body } = await download();
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="tessera-matches-2026-03-02.csv"',
  });
  const [first, ...lines] = parse(body);
  expect(first).toEqual(header);
  const listed = await app.request('GET', '/orgs/me/matches?limit=100', { token: org.token });
  expect(listed.body.data.length).toBeGreaterThan(5);
  const expected = listed.body.data.map((match: Record<string, string>) => [
    formatExternalId('JOB', match['job_id']!),
    match['id'],
    match['member_id'],
    match['match_quality'],
    match['match_status'],
    String(match['provisional']) === 'true' ? 'yes' : 'no',
    match['computed_at']!.slice(0, 10),
    '',
    '',
  ]);
  const withoutTitles = lines.map(([job, , ...cells]) => [job, ...cells]);
  expect(withoutTitles.toSorted(compareRows)).toEqual(expected.toSorted(compareRows));
  expect((await download('?format=csv')).body).toBe(body);
});

test('a workbook has the same rows, opens with another library, and its dates are dates', async () => {
  proves('export-org-matches-format-query');
  const { csv, workbook } = await readBoth();
  expect(workbook[0]).toEqual(header);
  const cells = workbook
    .slice(1)
    .map((row) => row.map((cell) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : (cell ?? ''))));
  // CSV marks a formula by an apostrophe. In a workbook, a text is a text.
  expect(cells).toEqual(csv.slice(1).map((row) => row.map((cell) => cell.replaceAll(/'(?=[=+])/g, ''))));
  for (const row of workbook.slice(1)) expect(row[7]).toBeInstanceOf(Date);
});

test('administrators and viewers find their notes and labels in both files, and auditors do not', async () => {
  const [match] = (await app.request('GET', '/orgs/me/matches?limit=1', { token: org.token })).body.data;
  const noted = { note: '=1+1, "call"', labels: ['second round', '+plus'] };
  const path = `/matches/${match.id}/note`;
  await app.request('PUT', path, { token: org.token, body: noted });
  const find = (rows: readonly (readonly unknown[])[]) => rows.find((row) => row[2] === match.id)!.slice(-2);
  const { csv, workbook } = await readBoth();
  // A formula gets an apostrophe in a CSV. In a workbook, a text is a text.
  expect(find(csv)).toEqual([`'=1+1, "call"`, 'second round, +plus']);
  expect(find(workbook)).toEqual(['=1+1, "call"', 'second round, +plus']);
  const viewer = await createColleague(app, org.org_id, 'org_viewer');
  expect(find(parse((await download('', viewer.token)).body))).toEqual(find(csv));
  const auditor = await createColleague(app, org.org_id, 'auditor');
  expect(find(parse((await download('', auditor.token)).body))).toEqual(['', '']);
  await app.request('PUT', path, { token: org.token, body: {} });
});

const compareRows = (one: readonly unknown[], other: readonly unknown[]) =>
  one.join() < other.join() ? -1 : 1;

async function readBoth() {
  const { headers, rawPayload } = await app.server.inject({
    url: `/api/v1${buildPath('?format=xlsx')}`,
    headers: { authorization: `Bearer ${org.token}` },
  });
  expect(headers).toMatchObject({
    'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'content-disposition': 'attachment; filename="tessera-matches-2026-03-02.xlsx"',
  });
  const [sheet] = await readWorkbook(rawPayload);
  return { csv: parse((await download()).body), workbook: sheet!.data };
}

test('titles that a spreadsheet would run as a formula are text', async () => {
  const { csv, workbook } = await readBoth();
  const titles = csv.slice(1).map((row) => row[1]);
  expect(titles).toContain(`'=HYPERLINK("https://evil.example","Ärzte; +1")`);
  expect(workbook.slice(1).map((row) => row[1])).toContain(title);
});

test('the member is an alias until both have agreed', async () => {
  const [match] = await listStoredMatches(app, jobs[0]!);
  const findMember = async (token?: string) =>
    parse((await download('', token)).body).find((row) => row[2] === match!.id)?.[3];
  expect(await findMember()).not.toBe(match!.member_id);
  expect(await findMember(cast.platformAdmin.token)).toBe(match!.member_id);
  await forceMatchStatus(app, match!.id, 'member_accepted');
  expect(await findMember()).toBe(match!.member_id);
  await forceMatchStatus(app, match!.id, 'pending_review');
});

test('filters select the same matches as in the lists', async () => {
  const count = async (query: string) => parse((await download(query)).body).length - 1;
  const countListed = async (query: string) =>
    (await app.request('GET', `/orgs/me/matches${query}`, { token: org.token })).body.pagination.total_count;
  for (const query of [
    `?job_id=${jobs[0]}`,
    '?quality=strong',
    '',
    '?include_developing=false',
    '?status=pending_review',
    '?status=placed',
  ])
    expect([query, await count(query)]).toEqual([query, await countListed(query)]);
  expect(await count(`?job_id=${unknownId}`)).toBe(0);
});

test('every role of the organisation may export, and each export is in the audit log', async () => {
  proves('export-org-matches-endpoint-jwt');
  const { ours, platformAdmin } = cast;
  for (const { token } of [ours.admin, ours.viewer, ours.auditor, platformAdmin])
    expect((await app.request('GET', buildPath('', ours.org_id), { token })).status).toBe(200);
  const log = await app.request('GET', '/audit-log?action=exports.matches_exported', {
    token: ours.admin.token,
  });
  expect(log.body.data.map((entry: { detail: unknown }) => entry.detail)).toEqual([
    { format: 'csv' },
    { format: 'csv' },
    { format: 'csv' },
    { format: 'csv' },
  ]);
});

test('another organisation does not exist, for users and for platform administrators', async () => {
  const foreign = await app.request('GET', buildPath(), { token: cast.ours.admin.token });
  expect([foreign.status, foreign.body.code]).toEqual([404, 'organisation_not_found']);
  const absent = await app.request('GET', buildPath('', unknownId), { token: cast.platformAdmin.token });
  expect([absent.status, absent.body.code]).toEqual([404, 'organisation_not_found']);
});

test('refuses members and callers who are not logged in', async () => {
  const member = await app.request('GET', buildPath(), { token: cast.deployed.token });
  expect([member.status, member.body.code]).toEqual([403, 'role_not_allowed']);
  const anonymous = await app.request('GET', buildPath());
  expect([anonymous.status, anonymous.body.code]).toEqual([401, 'authentication_required']);
});

test('refuses an unknown format and names the field', async () => {
  const { status, body } = await download('?format=pdf');
  expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'field_invalid', '/format']);
});

test('an organisation without a verified administrator exports nothing', async () => {
  const fresh = await app.registerOrgAdmin();
  await app.sql.run(sql`update users set email_verified_at = null where id = ${fresh.user_id}`);
  const { status, body } = await app.request('GET', buildPath('', fresh.org_id), { token: fresh.token });
  expect([status, body.code]).toEqual([403, 'email_not_verified']);
});
