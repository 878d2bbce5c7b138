import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import { filledProfile } from '#test/users.ts';
import { sql } from '#platform/database/database.ts';
import { fillSlots, createJob, persistencePriorities, listStoredMatches } from '#test/modules/matching.ts';

let app: TestApp;
let org: Awaited<ReturnType<TestApp['registerOrgAdmin']>>;
beforeAll(async () => {
  app = await startApp();
  org = await app.registerOrgAdmin();
});

const path = '/members/me/matching-preferences';
const put = (token: string, body: unknown) => app.request('PUT', path, { token, body });
const wishes = {
  clearance_held: 'baseline',
  remote_policies: ['remote', 'hybrid'],
  salary_min: 90_000,
  salary_currency: 'AUD',
  values: { clan: 50, adhocracy: 30, market: 10, hierarchy: 10 },
};

async function jobWith(change: Readonly<Record<string, unknown>>): Promise<string> {
  const job_id = await createJob(app, org.token, persistencePriorities);
  const { status } = await app.request('PATCH', `/orgs/me/jobs/${job_id}`, {
    token: org.token,
    body: change,
  });
  expect(status).toBe(200);
  await app.drainQueue();
  return job_id;
}

const matchesOf = async (job_id: string) =>
  (await listStoredMatches(app, job_id)).map(({ member_id }) => member_id);

test('what a member wants is kept, replaces what there was, and is theirs to read', async () => {
  const { token } = await app.registerMember();
  expect(await put(token, wishes)).toMatchObject({ status: 200, body: wishes });
  expect((await app.request('GET', path, { token })).body).toEqual(wishes);
  const nothing = {
    clearance_held: 'none',
    remote_policies: null,
    salary_min: null,
    salary_currency: null,
    values: null,
  };
  expect((await put(token, {})).body).toEqual(nothing);
  expect((await app.request('GET', path, { token })).body).toEqual(nothing);
});

test('a job that a member rules out is never proposed, and one that they let in again is', async () => {
  const person = await app.registerDeployedMember({ mean: fillSlots(2) });
  const job_id = await jobWith({ remote_policy: 'onsite' });
  expect(await matchesOf(job_id)).toContain(person.member_id);
  for (const [remote_policies, expected] of [
    [['remote'], false],
    [['hybrid', 'onsite'], true],
    [['hybrid'], false],
    [null, true],
  ] as const) {
    app.clock.advance(1_000);
    await put(person.token, { remote_policies });
    await app.drainQueue();
    expect((await matchesOf(job_id)).includes(person.member_id)).toBe(expected);
    const other = await jobWith({ remote_policy: 'onsite', title: 'Keeper' });
    expect((await matchesOf(other)).includes(person.member_id)).toBe(expected);
  }
});

test.each([
  ['clearance', { clearance_required: 'negative_vetting_1' }, { clearance_held: 'negative_vetting_1' }],
  [
    'salary',
    { salary_max: 80_000, salary_currency: 'AUD' },
    { salary_min: 80_000, salary_currency: 'AUD' },
    { salary_min: 80_001, salary_currency: 'AUD' },
  ],
] as const)('%s decides both ways', async (_, asked, fine, wrong: object = {}) => {
  const [one, other] = [
    await app.registerDeployedMember({ mean: fillSlots(2) }),
    await app.registerDeployedMember({ mean: fillSlots(2) }),
  ];
  await put(one.token, fine);
  await put(other.token, wrong);
  const job_id = await jobWith(asked);
  expect(await matchesOf(job_id)).toContain(one.member_id);
  expect(await matchesOf(job_id)).not.toContain(other.member_id);
});

test('who moves away loses the jobs that ask for the place, and gains those of the new one', async () => {
  const person = await app.registerDeployedMember({ mean: fillSlots(2) });
  const here = await jobWith({ constraints: { location_countries: ['AU'] } });
  const there = await jobWith({ constraints: { location_countries: ['NZ'], years_experience_min: 20 } });
  const profile = { ...filledProfile, location_state: null, years_experience: 30 };
  for (const [location_country, expected] of [
    ['AU', [here]],
    ['NZ', [there]],
    ['DE', []],
  ] as const) {
    app.clock.advance(1_000);
    await app.request('PUT', '/members/me/profile', {
      token: person.token,
      body: { ...profile, location_country },
    });
    await app.drainQueue();
    const matched = await Promise.all(
      [here, there].map(async (job_id) => (await matchesOf(job_id)).includes(person.member_id)),
    );
    expect([here, there].filter((_, index) => matched[index])).toEqual(expected);
  }
});

test('a match that an organisation acted on stays, whatever the member wants now', async () => {
  const person = await app.registerDeployedMember({ mean: fillSlots(2) });
  const job_id = await jobWith({ remote_policy: 'hybrid' });
  await app.sql.run(sql`
    update matches set match_status = 'org_interested' where job_id = ${job_id} and member_id = ${person.member_id}`);
  app.clock.advance(1_000);
  await put(person.token, { remote_policies: ['remote'] });
  await app.drainQueue();
  expect(await matchesOf(job_id)).toContain(person.member_id);
});

test.each([
  [{ clearance_held: 'secret' }, '/clearance_held'],
  [{ clearance_held: null }, '/clearance_held'],
  [{ remote_policies: [] }, '/remote_policies'],
  [{ remote_policies: ['remote', 'remote'] }, '/remote_policies'],
  [{ remote_policies: ['moon'] }, '/remote_policies/0'],
  [{ salary_min: -1, salary_currency: 'AUD' }, '/salary_min'],
  [{ salary_min: 5 }, '/salary_currency'],
  [{ salary_currency: 'AUD' }, '/salary_currency'],
  [{ salary_min: 5, salary_currency: 'aud' }, '/salary_currency'],
  [{ values: { clan: 1, adhocracy: 1, market: 1 } }, '/values'],
  [{ values: { clan: 101, adhocracy: 1, market: 1, hierarchy: 1 } }, '/values/clan'],
  [{ shoe_size: 44 }, '/shoe_size'],
])('%j is refused, and nothing changes', async (body, pointer) => {
  const { token } = await app.registerMember();
  await put(token, wishes);
  const answer = await put(token, body);
  expect(answer.status).toBe(422);
  expect(answer.body.errors[0].pointer).toContain(pointer);
  expect((await app.request('GET', path, { token })).body).toEqual(wishes);
});

test('only members have preferences', async () => {
  for (const method of ['GET', 'PUT']) {
    const body = method === 'PUT' ? { body: {} } : {};
    expect((await app.request(method, path, body)).status).toBe(401);
    expect((await app.request(method, path, { token: org.token, ...body })).status).toBe(403);
  }
});

test('a copy of one’s data has the preferences, and erasure leaves none', async () => {
  const { token, member_id, user_id, email } = await app.registerMember();
  const accounts = { user_ids: [user_id], emails: [email] };
  await put(token, wishes);
  const held = await app.platform.personalData['matching']!.exportPersonalData(app.sql, member_id, accounts);
  expect(held.find(({ name }) => name === 'matching_preferences')?.rows).toMatchObject([wishes]);
  await app.sql.transaction((tx) =>
    app.platform.personalData['matching']!.erasePersonalData!(tx, member_id, accounts),
  );
  expect(await app.sql.list(sql`select from matching_preferences where member_id = ${member_id}`)).toEqual(
    [],
  );
});
