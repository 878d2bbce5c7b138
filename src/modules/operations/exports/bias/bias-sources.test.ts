import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import {
  createJob,
  fillMeans,
  fillSlots,
  insertMembers,
  runTask,
  tierMeans,
} from '#test/modules/matching.ts';
import { logInAgain } from '#test/users.ts';
import { measurePopulation } from './population/measure-population.ts';
import type { BiasReport } from './wire.ts';

let women: readonly string[];
let men: readonly string[];

const month_ms = 32 * 86_400_000;

/** How many were rated strong and lower, and of these, how many were placed and stayed, and how many left early. */
const groups = {
  woman: { strong: [50, 20, 12], lower: [90, 40, 20] },
  man: { strong: [100, 50, 20], lower: [40, 15, 11] },
} as const;

const app = await startApp();
const org = await app.registerOrgAdmin();
beforeAll(async () => {
  women = await addGroup('woman');
  men = await addGroup('man');
  await createJob(app, org.token);
  await app.drainQueue();
  await placeGroup(women, groups.woman);
  await placeGroup(men, groups.man);
  await runTask(app, measurePopulation, {});
});

const addPeople = (tier: 'strong' | 'moderate', count: number) =>
  insertMembers(
    app,
    Array.from({ length: count }, () => ({ mean: fillMeans(tierMeans[tier]), variance: fillSlots(0.15) })),
  );

async function addGroup(gender: keyof typeof groups): Promise<readonly string[]> {
  const { strong, lower } = groups[gender];
  const ids = [...(await addPeople('strong', strong[0])), ...(await addPeople('moderate', lower[0]))];
  await recordGender(ids, gender);
  return ids;
}

async function recordGender(ids: readonly string[], gender: string): Promise<void> {
  await app.sql.run(sql`
    insert into self_identifications (member_id, genders, updated_at) select id, array[${gender}::text], now() from unnest(${ids}::uuid[]) as id`);
  await app.sql.run(sql`
    insert into consent_records (id, member_id, consent_type, granted, version, created_at)
    select gen_random_uuid(), id, 'demographic_self_identification', true, '1.0', now() from unnest(${ids}::uuid[]) as id`);
}

async function placeGroup(
  ids: readonly string[],
  { strong, lower }: (typeof groups)[keyof typeof groups],
): Promise<void> {
  const strongIds = ids.slice(0, strong[0]);
  const lowerIds = ids.slice(strong[0]);
  for (const [people, stayed, left] of [
    [strongIds, strong[1], strong[2]],
    [lowerIds, lower[1], lower[2]],
  ] as const) {
    await placePeople(people.slice(0, stayed), 'placed');
    await placePeople(people.slice(stayed, stayed + left), 'left');
  }
}

/** Places people 200 days ago; those who left did so after 50 days. Those who stayed are rated 5, the others 2. */
async function placePeople(ids: readonly string[], outcome: 'placed' | 'left'): Promise<void> {
  const now = app.clock.now();
  const own = sql`from matches where org_id = ${org.org_id} and member_id = any(${ids}::uuid[])`;
  await app.sql.run(sql`
    insert into match_outcomes (job_id, match_id, number, id, outcome, placed_at, ended_at, recorded_at)
    select job_id, id, 1, gen_random_uuid(), ${outcome}, ${now}::timestamptz - interval '200 days',
      case when ${outcome} = 'left' then ${now}::timestamptz - interval '150 days' end, ${now} ${own}`);
  await app.sql.run(sql`
    insert into match_feedback (job_id, match_id, stage_days, respondent, id, overall_rating, created_at)
    select job_id, id, 30, 'organisation', gen_random_uuid(), case when ${outcome} = 'left' then 2 else 5 end, ${now} ${own}`);
  await app.sql.run(sql`
    update matches set match_status = 'placed' where org_id = ${org.org_id} and member_id = any(${ids}::uuid[])`);
}

async function read(of = org, token = of.token): Promise<BiasReport> {
  const { status, body } = await app.request('GET', `/exports/org/${of.org_id}/bias-report`, { token });
  expect(status).toBe(200);
  return body;
}

const findRow = <Row extends { readonly group: string }>(rows: readonly Row[], group: string) =>
  rows.find((each) => each.group === group);

test('outcomes are compared with the ratings: error rates, gaps and how often ratings came true', async () => {
  const { outcomes } = await read();
  for (const outcome of ['stayed', 'rated_well'] as const) {
    const found = outcomes.find((each) => each.attribute === 'gender' && each.outcome === outcome)!;
    expect(findRow(found.groups, 'woman')).toEqual({
      group: 'woman',
      people: 92,
      good: 60,
      true_positive_rate: 0.3333,
      false_positive_rate: 0.375,
      good_of_strong: 0.625,
      good_of_lower: 0.6667,
    });
    expect(findRow(found.groups, 'man')).toMatchObject({ people: 96, good: 65, true_positive_rate: 0.7692 });
    expect(found).toMatchObject({ true_positive_gap: 0.4359, false_positive_gap: 0.2702 });
    expect(found.true_positive_p).toBeLessThan(0.001);
  }
  // Everybody who accepted was placed, so there is nobody to compare with.
  const placed = outcomes.find((each) => each.attribute === 'gender' && each.outcome === 'placed')!;
  expect(findRow(placed.groups, 'woman')).toMatchObject({ people: null, true_positive_rate: null });
});

test('a marked gap of ratings names the trait that the jobs ask for', async () => {
  const { drivers } = await read();
  expect(
    drivers.find(({ attribute, selection }) => attribute === 'gender' && selection === 'rated_strong'),
  ).toEqual({
    attribute: 'gender',
    selection: 'rated_strong',
    group: 'woman',
    reference: 'man',
    traits: [{ trait: 'persistence', share: 1 }],
  });
});

test('who was found is compared with all who were assessed, in tens', async () => {
  const { totals, comparisons, measurement } = await read();
  expect(totals.assessed).toBe(280);
  const found = comparisons.find(
    ({ attribute, selection }) => attribute === 'gender' && selection === 'matched',
  )!;
  expect(found).toMatchObject({ of: 'assessed', decided_by: 'service' });
  expect(findRow(found.groups, 'woman')).toMatchObject({ people: 140, selected: 140, rate: 1 });
  expect(measurement.measured_on).toBe('2026-03-02');
});

test('the policy that ranked jobs and every human review are in the report', async () => {
  const { policy_changes, oversight } = await read();
  expect(policy_changes.at(-1)).toMatchObject({ version: 1, action: 'start', regressions: [] });
  expect(oversight.log).toEqual([]);
});

test('CSV has the same numbers of each section, and hides the same', async () => {
  const { body } = await app.request('GET', `/exports/org/${org.org_id}/bias-report?format=csv`, {
    token: org.token,
  });
  const lines = parse(body, { columns: true }) as Readonly<Record<string, string>>[];
  const find = (section: string, group: string, selection: string, measure: string) =>
    lines.find(
      (line) =>
        line['section'] === section &&
        line['group'] === group &&
        line['selection'] === selection &&
        line['measure'] === measure,
    )?.['value'];
  expect(find('outcome', 'woman', 'stayed', 'true_positive_rate')).toBe('0.3333');
  expect(find('outcome', 'woman', 'placed', 'people')).toBe('hidden');
  expect(find('outcome', '', 'stayed', 'true_positive_gap')).toBe('0.4359');
  expect(find('driver', 'woman', 'rated_strong', 'persistence')).toBe('1');
  expect(lines.filter(({ section }) => section === 'policy_change').length).toBeGreaterThan(0);
  expect(find('provenance', '', '', 'purpose')).toContain('not the independent audit');
});

test('two organisations that compare their reports do not see who came in between', async () => {
  const other = await app.registerOrgAdmin();
  await createJob(app, other.token);
  await app.drainQueue();
  await app.sql.run(sql`
    update matches set match_status = 'org_interested' where org_id = ${other.org_id} and member_id = any(${women.slice(0, 30)}::uuid[])`);
  const before = await read();
  const [newcomer] = await addPeople('strong', 1);
  await recordGender([newcomer!], 'woman');
  await runTask(app, measurePopulation, {});
  const after = await read(other);
  expect(after.totals.assessed).toBe(before.totals.assessed);
  const listAssessed = ({ comparisons }: BiasReport) =>
    comparisons
      .filter(({ of }) => of === 'assessed')
      .flatMap(({ attribute, groups: rows }) => rows.map(({ group, people }) => [attribute, group, people]));
  expect(listAssessed(after)).toEqual(listAssessed(before));
  // A month later, one person is still too few.
  app.clock.advance(month_ms);
  await runTask(app, measurePopulation, {});
  const stored = await app.sql.one(sql<{ released_at: Date }>`select released_at from bias_populations`);
  expect(stored.released_at.toISOString().slice(0, 10)).toBe('2026-03-02');
});

test('no parameter asks for the groups of a job, a person, or a time of one’s own', async () => {
  const token = await logInAgain(app, org);
  for (const query of [
    'job_id=JOB-AAAAAAAA',
    'from=2026-03-01',
    'until=2026-03-02',
    `member_id=${men[0]}`,
    'group=woman',
  ]) {
    const { status, body } = await app.request('GET', `/exports/org/${org.org_id}/bias-report?${query}`, {
      token,
    });
    expect([query, status, body.code]).toEqual([query, 422, 'field_invalid']);
  }
});
