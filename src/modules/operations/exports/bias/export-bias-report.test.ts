import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createCast } from '#test/cast.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createJob, fillMeans, fillSlots, insertMembers, tierMeans } from '#test/modules/matching.ts';
import { logInAgain } from '#test/users.ts';
import { readPdfText } from '#test/read-pdf-text.ts';
import { proves } from '#test/requirements.ts';
import { findMachineWords } from '#test/web/list-machine-words.ts';
import { publishIfPossible } from './publish-report.ts';
import type { BiasReport } from './wire.ts';
import { shiftTime } from '#test/shift-time.ts';

let members: readonly string[];
const app = await startApp();
// Two more people, who have stated nothing.
await createCast(app);
const org = await app.registerOrgAdmin();
beforeAll(async () => {
  members = await addMembers(110);
  await createJob(app, org.token);
  await createJob(app, org.token);
  await app.drainQueue();
  // 40 women, of whom 12 were chosen; 30 men, of whom 18 were chosen; 40 others, and 2 of the cast, have stated nothing.
  await recordGender(members.slice(0, 40), 'woman');
  await recordGender(members.slice(40, 70), 'man');
  await chooseMembers([...members.slice(0, 12), ...members.slice(40, 58), ...members.slice(70, 90)]);
});

/** Adds members, every second of whom is rated strong. */
const addMembers = (count: number) =>
  insertMembers(
    app,
    Array.from({ length: count }, (_, index) => ({
      mean: fillMeans(tierMeans[index % 2 === 0 ? 'strong' : 'moderate']),
      variance: fillSlots(0.15),
    })),
  );

const buildPath = (query = '', org_id = org.org_id) => `/exports/org/${org_id}/bias-report${query}`;
const read = (query = '', token = org.token) => app.request('GET', buildPath(query), { token });

async function recordGender(member_ids: readonly string[], gender: string): Promise<void> {
  await app.sql.run(sql`
    insert into self_identifications (member_id, genders, updated_at)
    select id, array[${gender}::text], now() from unnest(${member_ids}::uuid[]) as id`);
  await app.sql.run(sql`
    insert into consent_records (id, member_id, consent_type, granted, version, created_at)
    select gen_random_uuid(), id, 'demographic_self_identification', true, '1.0', now() from unnest(${member_ids}::uuid[]) as id`);
}

/** Sets one of the matches of each member with the organisation to interested. */
async function chooseMembers(member_ids: readonly string[], org_id = org.org_id): Promise<void> {
  await app.sql.run(sql`
    update matches set match_status = 'org_interested' where id in (
      select distinct on (member_id) id from matches
      where org_id = ${org_id} and member_id = any(${member_ids}::uuid[]) order by member_id, id)`);
}

function findComparison({ comparisons }: BiasReport, attribute: string, selection: string) {
  const groups = comparisons.find(
    (each) => each.attribute === attribute && each.selection === selection,
  )!.groups;
  return Object.fromEntries(groups.map(({ group, ...numbers }) => [group, numbers]));
}

test('the report compares how groups were selected, and counts a person with two matches once', async () => {
  proves('export-bias-report-endpoint-roles', 'open-shape-export-bias-report-format');
  const { status, body } = await read();
  expect([status, body]).toMatchObject([
    200,
    { org_id: org.org_id, year: 2026, number: 1, counted_on: '2026-03-02', smallest_cell: 10 },
  ]);
  expect(body.totals).toMatchObject({ matched: 112, org_interested: 50, member_accepted: 0, placed: 0 });
  expect(findComparison(body, 'gender', 'org_interested')).toMatchObject({
    woman: { people: 40, selected: 12, rate: 0.3, impact_ratio: 0.5, below_four_fifths: true },
    man: { people: 30, selected: 18, rate: 0.6, impact_ratio: 1, below_four_fifths: false },
    not_stated: { people: 42, selected: 20, rate: 0.4762, impact_ratio: null, below_four_fifths: null },
  });
  // Nobody has accepted, as the organisation knows, so there is nothing to compare.
  expect(findComparison(body, 'gender', 'placed')['woman']).toMatchObject({
    selected: 0,
    impact_ratio: null,
  });
  expect(findComparison(body, 'disability', 'org_interested')).toEqual({
    not_stated: expect.objectContaining({ people: 112, impact_ratio: null }),
  });
  expect(findComparison(body, 'gender', 'org_interested')['woman']).toMatchObject({
    fisher_p: expect.any(Number),
    holm_p: expect.any(Number),
    detectable_ratio: expect.any(Number),
    flag: 'significant',
  });
  expect(body.coverage[0]).toEqual({ attribute: 'gender', stated: 70, not_stated: 42 });
  expect(body.provenance).toMatchObject({
    taxonomy: 'MVP-20',
    policy_version: expect.any(Number),
    median_tier: expect.any(String),
  });
  expect(body.provenance.purpose).toContain('not the independent audit');
  expect(body.oversight).toMatchObject({ human_decisions: 50, reviews_requested: 0 });
  expect(body.trend.find((each: { attribute: string }) => each.attribute === 'gender')).toMatchObject({
    year: 2026,
  });
  expect(body.method.length).toBeGreaterThan(3);
  expect(body.limits.length).toBeGreaterThan(3);
});

test('a published report never changes, and the next one counts only people who are in none', async () => {
  const { body: before } = await read();
  await chooseMembers(members.slice(12, 24));
  await app.sql.run(
    sql`delete from self_identifications where member_id = any(${members.slice(0, 5)}::uuid[])`,
  );
  app.clock.advance(32 * 86_400_000);
  const token = await logInAgain(app, org);
  expect((await read('', token)).body).toEqual(before);
  // Sixty more are too few.
  const more = await addMembers(60);
  await createJob(app, token);
  await app.drainQueue();
  await chooseMembers(more.slice(0, 30));
  const { body: waiting } = await read('', token);
  expect(waiting).toMatchObject({ number: 1, comparisons: before.comparisons, totals: before.totals });
  expect(waiting.next_report).toMatchObject({ is_possible: false, people: 60 });
  expect(waiting.next_report.words).toContain(
    '60 people who were matched in 2026 are in no report yet, of whom 30 were chosen',
  );
  const last = await addMembers(50);
  await recordGender([...more.slice(0, 15), ...more.slice(30, 45)], 'woman');
  await recordGender([...more.slice(15, 30), ...more.slice(45), ...last], 'man');
  await createJob(app, token);
  await app.drainQueue();
  const { body: unpublished } = await read('?publish=false', token);
  expect(unpublished).toMatchObject({ number: 1, next_report: { is_possible: true, people: 110 } });
  const { body: next } = await read('', token);
  expect(next).toMatchObject({
    number: 2,
    counted_on: '2026-04-03',
    totals: { matched: 110, org_interested: 30 },
  });
  expect(findComparison(next, 'gender', 'org_interested')).toMatchObject({
    woman: { people: 30, selected: 15 },
    man: { people: 80, selected: 15 },
  });
  const { body: first } = await read('?number=1', token);
  expect(first).toMatchObject({ number: 1, totals: before.totals, comparisons: before.comparisons });
});

test('after the end of a year, its report has everybody who is in none, and nobody twice', async () => {
  const other = await app.registerOrgAdmin();
  const token = await logInAgain(app, other);
  const readOther = (query: string) => app.request('GET', buildPath(query, other.org_id), { token });
  const people = await addMembers(45);
  await createJob(app, token);
  await app.drainQueue();
  await app.sql.run(
    sql`delete from matches where org_id = ${other.org_id} and member_id <> all(${people}::uuid[])`,
  );
  const { body: early } = await readOther('?year=2026');
  expect(early).toMatchObject({
    number: null,
    counted_on: null,
    comparisons: [],
    next_report: { people: 45 },
  });
  // Twenty of them are matched again in the next year, and twenty-five others are.
  await app.sql.run(sql`
    update matches set created_at = ${shiftTime('created_at', -365)} where org_id = ${other.org_id}`);
  const { body: report } = await readOther('?year=2025');
  expect(report).toMatchObject({ number: 1, totals: { matched: 45 }, next_report: { people: 0 } });
  await app.sql.run(sql`
    update matches set created_at = ${shiftTime('created_at', 365)} where org_id = ${other.org_id}`);
  const { body: again } = await readOther('?year=2026');
  expect(again).toMatchObject({ number: null, next_report: { people: 0 } });
});

test('an erased member leaves the published numbers as they are', async () => {
  const token = await logInAgain(app, org);
  const { body: before } = await read('?number=1', token);
  await app.sql.run(sql`delete from matches where member_id = ${members[1]!}`);
  await app.sql.run(sql`delete from self_identifications where member_id = ${members[1]!}`);
  expect((await read('?number=1', token)).body).toEqual(before);
  const stored = await app.sql.list(sql<{ text: string }>`select counts::text as text from bias_reports`);
  expect(stored.some(({ text }) => text.includes(members[1]!))).toBe(false);
});

test('a withdrawn consent ends the use of the answers with the next report', async () => {
  const other = await app.registerOrgAdmin();
  const token = await logInAgain(app, other);
  await createJob(app, token);
  await app.drainQueue();
  await chooseMembers(members.slice(0, 60), other.org_id);
  const { people } = await app.sql.one(sql<{ people: number }>`
    select count(distinct matches.member_id)::integer as people
    from matches
    where org_id = ${other.org_id} and member_id in (
      select self_identifications.member_id from self_identifications where genders = array['woman'] order by 1 limit 10000)`);
  await app.sql.run(sql`
    insert into consent_records (id, member_id, consent_type, granted, version, created_at)
    select gen_random_uuid(), id, 'demographic_self_identification', false, '1.0', now() from unnest(${members.slice(10, 25)}::uuid[]) as id`);
  const { body } = await app.request('GET', buildPath('', other.org_id), { token });
  expect(findComparison(body, 'gender', 'org_interested')['woman']).toMatchObject({ people: people - 15 });
});

test('requests that come together publish one report', async () => {
  const other = await app.registerOrgAdmin();
  const token = await logInAgain(app, other);
  await createJob(app, token);
  await app.drainQueue();
  await chooseMembers(members.slice(0, 60), other.org_id);
  const { database } = app.platform;
  const context: Parameters<typeof publishIfPossible>[0] = {
    ...app.platform,
    now: app.clock.now,
    transaction: (work) => database.transaction(work),
  };
  const subject = { org_id: other.org_id, year: 2026 };
  let recorded = 0;
  await Promise.all(
    Array.from({ length: 20 }, () => publishIfPossible(context, subject, async () => void recorded++)),
  );
  const { reports } = await app.sql.one(sql<{ reports: number }>`
    select count(*)::integer as reports from bias_reports where org_id = ${other.org_id}`);
  expect([recorded, reports]).toEqual([20, 1]);
});

test('a year without matches is empty', async () => {
  const token = await logInAgain(app, org);
  const { status, body } = await read('?year=2020', token);
  expect([status, body.year, body.totals.matched, body.oversight.human_decisions]).toEqual([
    200,
    2020,
    null,
    null,
  ]);
});

test('the CSV has the numbers of the JSON, and says what is hidden', async () => {
  const token = await logInAgain(app, org);
  const { headers, body } = await read('?format=csv', token);
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="tessera-bias-report-2026.csv"',
  });
  const lines = parse(body, { columns: true }) as Readonly<Record<string, string>>[];
  const { body: json } = await read('', token);
  const expected = findComparison(json, 'gender', 'org_interested')['woman']!;
  expect(
    lines.find(({ group, selection }) => group === 'woman' && selection === 'org_interested'),
  ).toMatchObject({
    attribute: 'gender',
    of: 'matched',
    people: String(expected.people),
    selected: String(expected.selected),
    rate: String(expected.rate),
    impact_ratio: String(expected.impact_ratio),
    below_four_fifths: expected.below_four_fifths ? 'yes' : 'no',
  });
  expect(lines.filter(({ section }) => section === 'total')).toHaveLength(7);
});

test('the PDF is tagged and has several numbered pages', async () => {
  const token = await logInAgain(app, org);
  const { headers, rawPayload } = await app.server.inject({
    url: `/api/v1${buildPath('?format=pdf')}`,
    headers: { authorization: `Bearer ${token}` },
  });
  expect(headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="tessera-bias-report-2026.pdf"',
  });
  const text = rawPayload.toString('latin1');
  for (const mark of ['%PDF-', '/Marked true', '/StructTreeRoot', '/S /Table', '/S /TH'])
    expect(text).toContain(mark);
  expect(text.match(/\/Type \/Page\b(?!s)/g)!.length).toBeGreaterThan(1);
  const words = readPdfText(rawPayload);
  expect(words).toContain('Bias report 2026');
  expect(findMachineWords(words)).toEqual([]);
});

test('before a report is published, the PDF shows no numbers of people', async () => {
  const { rawPayload } = await app.server.inject({
    url: `/api/v1${buildPath('?format=pdf&year=2020')}`,
    headers: { authorization: `Bearer ${await logInAgain(app, org)}` },
  });
  const words = readPdfText(rawPayload);
  expect(words).toContain('No report about 2020 was published yet.');
  expect(words).not.toContain('All people by stage');
});

test('administrators and auditors of the organisation and platform administrators read it, and each read is in the audit log', async () => {
  proves('export-bias-report-endpoint-roles');
  const { ours, platformAdmin } = await createCast(app);
  const path = buildPath('', ours.org_id);
  for (const { token } of [ours.admin, ours.auditor, platformAdmin])
    expect((await app.request('GET', path, { token })).status).toBe(200);
  const viewer = await app.request('GET', path, { token: ours.viewer.token });
  expect([viewer.status, viewer.body.code]).toEqual([403, 'role_not_allowed']);
  const log = await app.request('GET', '/audit-log?action=exports.bias_report_exported', {
    token: ours.admin.token,
  });
  expect(log.body.data).toHaveLength(3);
  expect(log.body.data[0].detail).toEqual({ format: 'json', year: 2026 });
});

test('refuses members, other organisations, and callers who are not logged in', async () => {
  const { theirs, deployed } = await createCast(app);
  const member = await app.request('GET', buildPath(), { token: deployed.token });
  expect([member.status, member.body.code]).toEqual([403, 'role_not_allowed']);
  const foreign = await app.request('GET', buildPath(), { token: theirs.admin.token });
  expect([foreign.status, foreign.body.code]).toEqual([404, 'organisation_not_found']);
  const absent = await app.request('GET', buildPath('', unknownId), { token: theirs.admin.token });
  expect([absent.status, absent.body.code]).toEqual([404, 'organisation_not_found']);
  expect((await app.request('GET', buildPath())).status).toBe(401);
});

test.each([
  ['?format=xlsx', '/format'],
  ['?year=1999', '/year'],
  ['?year=soon', '/year'],
])('refuses %s and names the field', async (query, pointer) => {
  const token = await logInAgain(app, org);
  const { status, body } = await read(query, token);
  expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
});
