import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createCast } from '#test/cast.ts';
import { startApp, unknownId, type TestApp } from '#test/harness.ts';
import { createJob, fillMeans, fillSlots, insertMembers, tierMeans } from '#test/modules/matching.ts';
import { logInAgain } from '#test/users.ts';
import { proves } from '#test/requirements.ts';
import { releaseCounts } from './counting/release-counts.ts';
import type { BiasReport } from './wire.ts';

let app: TestApp;
let org: Awaited<ReturnType<TestApp['registerOrgAdmin']>>;
let members: readonly string[];
beforeAll(async () => {
  app = await startApp();
  // Two more people, who have stated nothing.
  await createCast(app);
  org = await app.registerOrgAdmin();
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

/** Sets one of the two matches of each member to interested. */
async function chooseMembers(member_ids: readonly string[]): Promise<void> {
  await app.sql.run(sql`
    update matches set match_status = 'org_interested' where id in (
      select distinct on (member_id) id from matches
      where org_id = ${org.org_id} and member_id = any(${member_ids}::uuid[]) order by member_id, id)`);
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
    { org_id: org.org_id, year: 2026, counted_on: '2026-03-02', smallest_cell: 10 },
  ]);
  expect(body.totals).toMatchObject({ matched: 112, org_interested: 50, member_accepted: 0, placed: 0 });
  expect(findComparison(body, 'gender', 'org_interested')).toMatchObject({
    woman: { people: 40, selected: 12, rate: 0.3, impact_ratio: 0.5, below_four_fifths: true },
    man: { people: 30, selected: 18, rate: 0.6, impact_ratio: 1, below_four_fifths: false },
    non_binary: { people: 0, selected: 0, rate: null, impact_ratio: null, below_four_fifths: null },
    not_stated: { people: 42, selected: 20, rate: 0.4762, impact_ratio: null, below_four_fifths: null },
  });
  // Nobody has accepted, so there is nothing to compare, and no zero that would be about a few people.
  expect(findComparison(body, 'gender', 'placed')['woman']).toMatchObject({ selected: null, rate: null });
  expect(findComparison(body, 'disability', 'org_interested')).toMatchObject({
    yes: { people: null },
    not_stated: { people: null, rate: null, impact_ratio: null },
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

test('an organisation that acts on one person learns nothing from the next report', async () => {
  const { body: before } = await read();
  await chooseMembers(members.slice(12, 13));
  expect((await read()).body).toEqual(before);
  app.clock.advance(32 * 86_400_000);
  const renewed = await logInAgain(app, org);
  // A month later, one person is still too few.
  expect((await read('', renewed)).body).toEqual(before);
  // Then ten people would be known to be women.
  await chooseMembers(members.slice(13, 23));
  expect((await read('', renewed)).body).toEqual(before);
  // Twenty more of each group, of whom ten are chosen, say nothing about a few.
  const more = await addMembers(60);
  await recordGender(more.slice(0, 20), 'woman');
  await recordGender(more.slice(20, 40), 'man');
  await createJob(app, renewed);
  await app.drainQueue();
  await chooseMembers([...more.slice(0, 10), ...more.slice(20, 30), ...more.slice(40, 50)]);
  const { body: after } = await read('', renewed);
  expect(after.counted_on).toBe('2026-04-03');
  expect(findComparison(after, 'gender', 'org_interested')['woman']).toMatchObject({
    people: 60,
    selected: 33,
  });
});

test('a withdrawn consent ends the use of the answers with the next count', async () => {
  const other = await app.registerOrgAdmin();
  await createJob(app, other.token);
  await app.drainQueue();
  await app.sql.run(sql`
    insert into consent_records (id, member_id, consent_type, granted, version, created_at)
    select gen_random_uuid(), id, 'demographic_self_identification', false, '1.0', now() from unnest(${members.slice(0, 15)}::uuid[]) as id`);
  const { body } = await app.request('GET', buildPath('', other.org_id), { token: other.token });
  expect(findComparison(body, 'gender', 'org_interested')).toMatchObject({
    woman: { people: 45 },
    man: { people: 50 },
    not_stated: { people: 77 },
  });
});

test('requests that come while people are counted share the count', async () => {
  const { database } = app.platform;
  const requests = 20;
  const haveAllCome = Promise.withResolvers<void>();
  let [come, counts] = [0, 0];
  const context: Parameters<typeof releaseCounts>[0] = {
    ...app.platform,
    now: app.clock.now,
    transaction: (work) => database.transaction(work),
    database: {
      ...database,
      find: async (statement) => {
        const found = await database.find(statement);
        if (++come === requests) haveAllCome.resolve();
        return found;
      },
    },
    readSnapshot: async function* (read) {
      counts++;
      await haveAllCome.promise;
      yield* database.readSnapshot(read);
    },
  };
  const subject = { org_id: org.org_id, year: 2019 };
  const released = await Promise.all(
    Array.from({ length: requests }, () => releaseCounts(context, subject, async () => undefined)),
  );
  expect(counts).toBe(1);
  expect(new Set(released.map(({ released_at }) => released_at.toISOString())).size).toBe(1);
  // The next count is another one.
  app.clock.advance(2 * 86_400_000);
  await releaseCounts(context, subject, async () => undefined);
  expect(counts).toBe(2);
});

test('a year without matches is empty', async () => {
  const token = await logInAgain(app, org);
  const { status, body } = await read('?year=2020', token);
  expect([status, body.year, body.totals.matched]).toEqual([200, 2020, 0]);
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
  expect(lines.find(({ group, selection }) => group === 'man' && selection === 'placed')).toMatchObject({
    selected: 'hidden',
    rate: '',
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

/** Deletes the reports of the organisation, reads this year's, and stores it as if it were about another year. Then one more woman is chosen. */
async function moveReport(year: number, woman: string): Promise<void> {
  await app.sql.run(sql`delete from bias_releases where org_id = ${org.org_id}`);
  expect(await readChosen()).toEqual(expect.any(Number));
  await app.sql.run(sql`update bias_releases set year = ${year} where org_id = ${org.org_id}`);
  await chooseMembers([woman]);
}

async function readChosen(): Promise<number | null> {
  const { body } = await read('', await logInAgain(app, org));
  return findComparison(body, 'gender', 'org_interested')['woman']!.selected;
}

test('nearly the same people in another year do not follow from subtracting the two reports', async () => {
  await moveReport(2025, members[30]!);
  expect(await readChosen()).toBeNull();
  // The same people in the same stages say nothing new: she is chosen already.
  await moveReport(2025, members[30]!);
  expect(await readChosen()).toEqual(expect.any(Number));
});

test('an earlier report about another year is compared too', async () => {
  await moveReport(2025, members[31]!);
  await app.sql.run(sql`
    insert into bias_releases (org_id, year, number, released_at, counts, people)
    select org_id, year, 2, released_at, counts, '{}' from bias_releases where org_id = ${org.org_id}`);
  expect(await readChosen()).toBeNull();
});

test('reports about years without matches do not take the place of one that is compared', async () => {
  await moveReport(2021, members[32]!);
  const token = await logInAgain(app, org);
  for (const year of [2022, 2023, 2024, 2025])
    expect((await read(`?year=${year}`, token)).body.totals.matched).toBe(0);
  expect(await readChosen()).toBeNull();
});

/** Moves one match of each of these people to the year before, and the matches of all others out of both years. */
async function moveMatches(member_ids: readonly string[]): Promise<void> {
  await app.sql.run(sql`
    update matches set created_at = created_at - interval '7 years'
    where org_id = ${org.org_id} and member_id <> all(${members}::uuid[])`);
  await app.sql.run(sql`
    update matches set created_at = created_at - interval '1 year' where id in (
      select distinct on (member_id) id from matches
      where org_id = ${org.org_id} and member_id = any(${member_ids}::uuid[]) order by member_id, id)`);
}

test('reports about two years are compared also if both are counted at once', async () => {
  await app.sql.run(sql`delete from bias_releases where org_id = ${org.org_id}`);
  await moveMatches(members.filter((id) => id !== members[35]));
  const { database } = app.platform;
  const haveBothCounted = Promise.withResolvers<void>();
  let counted = 0;
  const context: Parameters<typeof releaseCounts>[0] = {
    ...app.platform,
    now: app.clock.now,
    transaction: (work) => database.transaction(work),
    readSnapshot: async function* (read) {
      yield* database.readSnapshot(read);
      if (++counted === 2) haveBothCounted.resolve();
      await haveBothCounted.promise;
    },
  };
  const records: number[] = [];
  const releases = await Promise.all(
    [2025, 2026].map((year) =>
      releaseCounts(context, { org_id: org.org_id, year }, async () => void records.push(year)),
    ),
  );
  expect(counted).toBe(3);
  expect(new Set(records)).toEqual(new Set([2025, 2026]));
  expect(records).toHaveLength(2);
  const numbers = releases.map(({ counts }) => counts.shown.gender['woman']!.matched);
  expect(numbers.filter((number) => number === null)).toHaveLength(1);
});
