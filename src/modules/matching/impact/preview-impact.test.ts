import { beforeAll, expect, test } from 'vitest';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { toTraitSlot, traitCodes, type TraitPriorities } from '#modules/measurement/traits';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { createJob, fillSlots, insertMembers, listStoredMatches, runTask } from '#test/modules/matching.ts';
import { nurse } from '#test/modules/jobs.ts';
import { logInAgain } from '#test/users.ts';
import { lookAtMembers } from './snapshot/look-at-members.ts';
import type { ImpactPreview } from './wire.ts';

const app = await startApp();
const org = await app.registerOrgAdmin();
let { token: ours } = org;
const trait_priorities: TraitPriorities = { empathic_attunement: 0.8, persistence: 0.5, sincerity: 0.6 };
const random = createSeededRandom(1);

const requestPreview = (body: object = { trait_priorities }, token = ours) =>
  app.request('POST', '/orgs/me/jobs/impact', { token, body });

/** Adds members of a gender, with empathic attunement higher by a gap. */
async function addMembers(count: number, gender: string | null, gap = 0): Promise<readonly string[]> {
  const ids = await insertMembers(
    app,
    Array.from({ length: count }, () => ({
      mean: traitCodes.map((code) => drawStandardNormal(random) + (code === 'empathic_attunement' ? gap : 0)),
      variance: fillSlots(0.15),
    })),
  );
  if (gender !== null) await setGender(ids, gender);
  return ids;
}

async function setGender(member_ids: readonly string[], gender: string): Promise<void> {
  await app.sql.run(sql`
    insert into self_identifications (member_id, genders, updated_at)
    select id, array[${gender}::text], now() from unnest(${member_ids}::uuid[]) as id
    on conflict (member_id) do update set genders = excluded.genders`);
  await app.sql.run(sql`
    insert into consent_records (id, member_id, consent_type, granted, version, created_at)
    select gen_random_uuid(), id, 'demographic_self_identification', true, '1.0', now() from unnest(${member_ids}::uuid[]) as id`);
}

const runLook = () => runTask(app, lookAtMembers, {});

async function goToNextMonth(): Promise<string> {
  app.clock.advance(32 * 86_400_000);
  return logInAgain(app, org);
}

let women: readonly string[];
let men: readonly string[];
beforeAll(async () => {
  women = await addMembers(90, 'woman', 1.2);
  await runLook();
});

test('as long as too few members have said what they are, one sentence says so, and nothing else is shown', async () => {
  const { status, body } = await requestPreview();
  expect([status, body.impact, body.alternatives]).toEqual([200, [], []]);
  expect(body.too_few).toBe(
    'Too few members have said what groups they belong to: a comparison needs two groups of at least 50 people each.',
  );
});

test('groups are shown with rates, ratios and intervals, and priorities with less impact are offered', async () => {
  await addMembers(70, 'woman', 1.2);
  men = await addMembers(160, 'man');
  ours = await goToNextMonth();
  await runLook();
  const { status, body } = await requestPreview();
  expect([status, body.too_few]).toEqual([200, null]);
  const [gender] = (body as ImpactPreview).impact;
  expect(gender).toMatchObject({ attribute: 'gender', measured_on: '2026-04-03' });
  const [woman, man] = gender!.groups;
  expect(woman).toMatchObject({ group: 'woman', impact_ratio: 1, ratio_from: null, flag: null });
  expect(man).toMatchObject({ group: 'man', below_four_fifths: true, flag: 'significant' });
  expect(man!.rate).toBeCloseTo(woman!.rate * man!.impact_ratio, 2);
  expect(man!.people % 10).toBe(0);
  const alternative = body.alternatives.at(-1)!;
  expect(alternative.trait_priorities.empathic_attunement).toBeLessThan(0.8);
  const ratio = alternative.impact[0].groups.find(
    ({ group }: { group: string }) => group === 'man',
  ).impact_ratio;
  expect(ratio).toBeGreaterThan(man!.impact_ratio);
  expect((await requestPreview()).body).toEqual(body);
  const theirs = await app.registerOrgAdmin();
  const { impact, alternatives } = (await requestPreview({ trait_priorities }, theirs.token))
    .body as ImpactPreview;
  expect(impact).toEqual(body.impact);
  expect(alternatives.map((each) => each.trait_priorities)).toEqual(
    body.alternatives.map((each: { trait_priorities: object }) => each.trait_priorities),
  );
});

test('no number of previews tells anything about somebody who comes, goes, answers otherwise or is measured again', async () => {
  const questions = [
    ...['empathic_attunement', 'persistence', 'discretion'].map((code) => ({ [code]: 1 })),
    ...[0.5, 0.55, 0.6].map((sincerity) => ({ ...trait_priorities, sincerity })),
  ];
  const ask = () =>
    Promise.all(
      questions.map(async (each) => (await requestPreview({ trait_priorities: each })).body.impact),
    );
  const before = await ask();
  const [newcomer] = await addMembers(1, 'woman', 9);
  await app.sql.run(sql`
    update trait_vectors set latent_mean = array_fill(3::real, array[20]) where member_id = ${women[0]!}`);
  await setGender([women[1]!], 'non_binary');
  await app.sql.run(sql`delete from self_identifications where member_id = ${men[0]!}`);
  await runLook();
  expect(await ask()).toEqual(before);
  ours = await goToNextMonth();
  await runLook();
  expect(await ask()).toEqual(before);
  // Not even with 48 others.
  await addMembers(48, 'woman', 2);
  await runLook();
  expect(await ask()).toEqual(before);
  await addMembers(60, 'woman', 1.2);
  await runLook();
  expect(await ask()).not.toEqual(before);
  const [{ counted }] = (await app.sql.list(sql<{ counted: number }>`
    select count(*)::integer as counted from impact_counted
    where mark = substring(sha256(uuid_send(${newcomer!}::uuid)) for 8)`)) as [{ counted: number }];
  expect(counted).toBeLessThanOrEqual(1);
});

test('what is chosen after a preview is in the audit log, and only what was shown to the organisation counts as chosen', async () => {
  const { body } = await requestPreview();
  const { trait_priorities: near, choice } = body.alternatives[0]!;
  const create = (token: string, fields: object) =>
    app.request('POST', '/orgs/me/jobs', { token, body: { ...nurse, ...fields } });
  const created = await create(ours, { trait_priorities: near, priorities_choice: choice });
  expect([created.status, created.body.trait_priorities]).toEqual([201, near]);
  expect(created.body.priorities_choice).toBeUndefined();
  const path = `/orgs/me/jobs/${created.body.id}`;
  const change = { trait_priorities, priorities_choice: body.choice };
  expect((await app.request('PATCH', path, { token: ours, body: change })).status).toBe(200);
  const details = await app.sql.list(sql<{ action: string; choice: string }>`
    select action, detail->>'choice' as choice from audit_log where detail->>'job_id' = ${created.body.id} order by action`);
  expect(details).toEqual([
    { action: 'jobs.created', choice: body.alternatives[0].distance },
    { action: 'jobs.updated', choice: 'as_set' },
  ]);
  const theirs = await app.registerOrgAdmin();
  for (const [token, fields] of [
    [ours, { trait_priorities, priorities_choice: choice }],
    [ours, { trait_priorities: near, priorities_choice: body.choice }],
    [theirs.token, { trait_priorities: near, priorities_choice: choice }],
  ] as const) {
    const { status, body: refused } = await create(token, fields);
    expect([status, refused.code, refused.errors[0].pointer]).toEqual([
      422,
      'field_invalid',
      '/priorities_choice',
    ]);
  }
  const wrong = await app.request('PATCH', path, {
    token: ours,
    body: { priorities_choice: choice },
  });
  expect(wrong.status).toBe(422);
});

test('bad input, callers who are not logged in, and other roles are refused', async () => {
  const bad = await requestPreview({ trait_priorities: { charm: 1 } });
  expect([bad.status, bad.body.code, bad.body.errors[0].pointer]).toEqual([
    422,
    'trait_code_unknown',
    '/trait_priorities/charm',
  ]);
  const empty = await requestPreview({ trait_priorities: { persistence: 0 } });
  expect([empty.status, empty.body.code]).toEqual([422, 'trait_priorities_empty']);
  expect((await app.request('POST', '/orgs/me/jobs/impact', { body: { trait_priorities } })).status).toBe(
    401,
  );
  const viewer = await createColleague(app, org.org_id, 'org_viewer');
  const member = await app.registerMember();
  for (const { token } of [viewer, member])
    expect((await requestPreview({ trait_priorities }, token)).body.code).toBe('role_not_allowed');
  const unverified = await app.registerOrgAdmin({ is_verified: false });
  expect((await requestPreview({ trait_priorities }, unverified.token)).body.code).toBe('email_not_verified');
});

test('the fit of a member depends on priorities and traits alone: what members say about themselves changes no match', async () => {
  const [one, other] = await insertMembers(
    app,
    [1, 2].map(() => ({
      mean: traitCodes.map((_, slot) => (slot === toTraitSlot('persistence') ? 2.5 : 0)),
      variance: fillSlots(0.15),
    })),
  );
  await setGender([one!], 'woman');
  await setGender([other!], 'man');
  const job_id = await createJob(app, ours);
  await app.drainQueue();
  const read = async () =>
    (await listStoredMatches(app, job_id))
      .map(({ member_id, match_quality }) => [member_id, match_quality] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const before = await read();
  const tiers = new Map(before);
  expect(tiers.get(one!)).toBeDefined();
  expect(tiers.get(one!)).toBe(tiers.get(other!));
  await app.sql.run(sql`
    update self_identifications set genders = array[case when genders[1] = 'man' then 'woman' else 'man' end]`);
  await app.request('POST', `/orgs/me/jobs/${job_id}/recompute-matches`, { token: ours });
  await app.drainQueue();
  expect(await read()).toEqual(before);
});
