import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { filledProfile } from '#test/users.ts';
import { sql } from '#platform/database/database.ts';
import {
  createJob,
  fillMeans,
  forceMatchStatus,
  listStoredMatches,
  persistencePriorities,
} from '#test/modules/matching.ts';

const app = await startApp();
const org = await app.registerOrgAdmin();

const path = '/members/me/matching-preferences';
const putPreferences = (token: string, body: unknown) => app.request('PUT', path, { token, body });
const preferences = {
  clearance_held: 'baseline',
  remote_policies: ['remote', 'hybrid'],
  salary_min: 90_000,
  salary_currency: 'AUD',
  values: { clan: 50, adhocracy: 30, market: 10, hierarchy: 10 },
};

async function createPatchedJob(change: Readonly<Record<string, unknown>>): Promise<string> {
  const job_id = await createJob(app, org.token, persistencePriorities);
  const { status } = await app.request('PATCH', `/orgs/me/jobs/${job_id}`, {
    token: org.token,
    body: change,
  });
  expect(status).toBe(200);
  await app.drainQueue();
  return job_id;
}

const listMatchedMembers = async (job_id: string) =>
  (await listStoredMatches(app, job_id)).map(({ member_id }) => member_id);

test('preferences are stored, replace earlier ones, and can be read by the member', async () => {
  const { token } = await app.registerMember();
  expect(await putPreferences(token, preferences)).toMatchObject({ status: 200, body: preferences });
  expect((await app.request('GET', path, { token })).body).toEqual(preferences);
  const defaults = {
    clearance_held: 'none',
    remote_policies: null,
    salary_min: null,
    salary_currency: null,
    values: null,
  };
  expect((await putPreferences(token, {})).body).toEqual(defaults);
  expect((await app.request('GET', path, { token })).body).toEqual(defaults);
});

test('a job that a member rules out is not proposed until the member allows it again', async () => {
  const member = await app.registerDeployedMember({ mean: fillMeans(2) });
  const job_id = await createPatchedJob({ remote_policy: 'onsite' });
  expect(await listMatchedMembers(job_id)).toContain(member.member_id);
  for (const [remote_policies, expected] of [
    [['remote'], false],
    [['hybrid', 'onsite'], true],
    [['hybrid'], false],
    [null, true],
  ] as const) {
    app.clock.advance(1_000);
    await putPreferences(member.token, { remote_policies });
    await app.drainQueue();
    expect((await listMatchedMembers(job_id)).includes(member.member_id)).toBe(expected);
    const other = await createPatchedJob({ remote_policy: 'onsite', title: 'Keeper' });
    expect((await listMatchedMembers(other)).includes(member.member_id)).toBe(expected);
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
] as const)(
  '%s includes members who accept the job and excludes those who do not',
  async (_, requirements, accepting, excluding: object = {}) => {
    const [one, other] = [
      await app.registerDeployedMember({ mean: fillMeans(2) }),
      await app.registerDeployedMember({ mean: fillMeans(2) }),
    ];
    await putPreferences(one.token, accepting);
    await putPreferences(other.token, excluding);
    const job_id = await createPatchedJob(requirements);
    expect(await listMatchedMembers(job_id)).toContain(one.member_id);
    expect(await listMatchedMembers(job_id)).not.toContain(other.member_id);
  },
);

test('a member who moves loses the matches that require the old country and gains those that require the new one', async () => {
  const member = await app.registerDeployedMember({ mean: fillMeans(2) });
  const oldJob = await createPatchedJob({ constraints: { location_countries: ['AU'] } });
  const newJob = await createPatchedJob({
    constraints: { location_countries: ['NZ'], years_experience_min: 20 },
  });
  const profile = { ...filledProfile, location_state: null, years_experience: 30 };
  for (const [location_country, expected] of [
    ['AU', [oldJob]],
    ['NZ', [newJob]],
    ['DE', []],
  ] as const) {
    app.clock.advance(1_000);
    await app.request('PUT', '/members/me/profile', {
      token: member.token,
      body: { ...profile, location_country },
    });
    await app.drainQueue();
    const matched = await Promise.all(
      [oldJob, newJob].map(async (job_id) => (await listMatchedMembers(job_id)).includes(member.member_id)),
    );
    expect([oldJob, newJob].filter((_, index) => matched[index])).toEqual(expected);
  }
});

test('a match that the organisation has acted on stays when the member’s preferences change', async () => {
  const member = await app.registerDeployedMember({ mean: fillMeans(2) });
  const job_id = await createPatchedJob({ remote_policy: 'hybrid' });
  const stored = await listStoredMatches(app, job_id);
  await forceMatchStatus(
    app,
    stored.find(({ member_id }) => member_id === member.member_id)!.id,
    'org_interested',
  );
  app.clock.advance(1_000);
  await putPreferences(member.token, { remote_policies: ['remote'] });
  await app.drainQueue();
  expect(await listMatchedMembers(job_id)).toContain(member.member_id);
});

test.each([
  [{ clearance_held: 'secret' }, '/clearance_held'],
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
])('rejects %j and changes nothing', async (body, pointer) => {
  const { token } = await app.registerMember();
  await putPreferences(token, preferences);
  const reply = await putPreferences(token, body);
  expect(reply.status).toBe(422);
  expect(reply.body.errors[0].pointer).toContain(pointer);
  expect((await app.request('GET', path, { token })).body).toEqual(preferences);
});

test('only members can read and set preferences', async () => {
  for (const method of ['GET', 'PUT']) {
    const body = method === 'PUT' ? { body: {} } : {};
    expect((await app.request(method, path, body)).status).toBe(401);
    expect((await app.request(method, path, { token: org.token, ...body })).status).toBe(403);
  }
});

test('the export of a member’s data contains the preferences, and erasure deletes them', async () => {
  const { token, member_id, user_id, email } = await app.registerMember();
  const accounts = { user_ids: [user_id], emails: [email] };
  await putPreferences(token, preferences);
  const exported = await app.platform.personalData['matching']!.exportPersonalData(
    app.sql,
    member_id,
    accounts,
  );
  expect(exported.find(({ name }) => name === 'matching_preferences')?.rows).toMatchObject([preferences]);
  await app.sql.transaction((tx) =>
    app.platform.personalData['matching']!.erasePersonalData(tx, member_id, accounts),
  );
  expect(await app.sql.list(sql`select from matching_preferences where member_id = ${member_id}`)).toEqual(
    [],
  );
});
