import { beforeEach, expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { logInAgain } from '#test/users.ts';
import {
  createJob,
  deleteStoredMatches,
  fillMeans,
  findStoredMatch,
  forceMatchStatus,
  tierMeans,
} from '#test/modules/matching.ts';

let org: Awaited<ReturnType<TestApp['registerOrgAdmin']>>;
let member: Awaited<ReturnType<TestApp['registerDeployedMember']>>;
let job_id: string;
let match_id: string;
const app = await startApp();
beforeEach(async () => {
  await deleteStoredMatches(app);
  await app.sql.run(sql`update jobs set status = 'closed'`);
  await app.sql.run(sql`update members set matching_consented = false`);
  org = await app.registerOrgAdmin();
  member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
  job_id = await createJob(app, org.token);
  await app.drainQueue();
  match_id = (await findStoredMatch(app, job_id, member.member_id)).id;
});

const get = async (path: string, token = org.token) => (await app.request('GET', path, { token })).body;

/** Every reply in which an organisation sees the match. */
const readViews = async (token = org.token) => [
  await get(`/matches/${match_id}`, token),
  ...(
    await Promise.all(
      [`/orgs/me/jobs/${job_id}/matches`, `/matches/job/${job_id}`, '/orgs/me/matches'].map((path) =>
        get(path, token),
      ),
    )
  ).flatMap(({ data }) => data),
];

const readIds = async (token?: string) => [
  ...new Set((await readViews(token)).map(({ member_id }: { member_id: string }) => member_id)),
];

const readNames = async (token?: string) => [
  ...new Set((await readViews(token)).map(({ member_name }: { member_name: string | null }) => member_name)),
];

const setStatus = (status: string) =>
  app.request('PUT', `/matches/${match_id}/status`, { token: org.token, body: { status } });

const respond = (decision: string) =>
  app.request('POST', `/matches/${match_id}/response`, { token: member.token, body: { decision } });

const changeJob = async (body: object) => {
  await app.request('PATCH', `/orgs/me/jobs/${job_id}`, { token: org.token, body });
  await app.drainQueue();
};

test('an organisation knows a member by one alias for a job, in every reply and for every role', async () => {
  const [alias, ...others] = await readIds();
  expect(others).toEqual([]);
  expect(alias).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect([member.member_id, match_id, job_id]).not.toContain(alias);
  for (const role of ['org_viewer', 'auditor'] as const)
    expect(await readIds((await createColleague(app, org.org_id, role)).token)).toEqual([alias]);
  // A computation that changes nothing, and a change of the title, change no alias.
  await app.request('POST', `/orgs/me/jobs/${job_id}/recompute-matches`, { token: org.token });
  await changeJob({ title: 'Keeper' });
  expect(await readIds()).toEqual([alias]);
  const body = (await setStatus('org_interested')).body;
  expect([body.member_id, ...(await readIds())]).toEqual([alias, alias]);
});

test('the member and platform administrators read the real id and the time', async () => {
  const operator = await app.registerPlatformAdmin();
  const views = [
    await get(`/matches/${match_id}`, member.token),
    ...(await get(`/matches/member/${member.member_id}`, member.token)).data,
    ...(await get(`/matches/job/${job_id}`, operator.token)).data,
    ...(await get(`/matches/member/${member.member_id}`, operator.token)).data,
  ];
  expect(views.length).toBe(4);
  for (const { member_id, computed_at } of views)
    expect([member_id, computed_at]).toEqual([member.member_id, app.clock.now().toISOString()]);
});

test('another job and another version of the same job have other aliases and other ids of matches', async () => {
  const other = await createJob(app, org.token);
  await app.drainQueue();
  const { data } = await get(`/orgs/me/jobs/${other}/matches`);
  const views: { id: string; member_id: string }[] = [(await readViews())[0], ...data];
  const patches = [
    { trait_priorities: { persistence: 1, sincerity: 0.2 } },
    { trait_priorities: { persistence: 1 } },
    { constraints: { years_experience_min: 1 } },
    { salary_max: 90_000, salary_currency: 'AUD' },
    { remote_policy: 'remote' },
  ];
  for (const patch of patches) {
    await changeJob(patch);
    const { data } = await get(`/orgs/me/jobs/${job_id}/matches`);
    expect(data).toHaveLength(1);
    views.push(data[0]);
  }
  // The ids of the same job have their beginning in common; nothing after it may be repeated.
  for (const name of ['id', 'member_id'] as const)
    expect(new Set(views.map((view) => view[name].slice(19))).size).toBe(patches.length + 2);
  expect((await app.request('GET', `/matches/${match_id}`, { token: org.token })).status).toBe(404);
});

test('a match on which the organisation has acted keeps its id, alias and label when the job changes', async () => {
  await setStatus('org_interested');
  const before = await get(`/matches/${match_id}`);
  for (const trait_priorities of [{ discretion: 1 }, { sincerity: 1 }]) {
    await changeJob({ trait_priorities });
    const { data } = await get(`/orgs/me/jobs/${job_id}/matches`);
    expect(data).toEqual([before]);
  }
  // A new measurement of the member changes nothing either, because the label would be about the changed job.
  await app.sql.run(sql`update trait_vectors set latent_mean = ${Array(20).fill(-2)}::real[]`);
  await app.request('POST', `/matches/compute?member_id=${member.member_id}`, { token: member.token });
  await app.drainQueue();
  expect((await get(`/matches/${match_id}`)).match_quality).toBe(before.match_quality);
});

test('the real id and the name are shown from the acceptance until a withdrawal, the name not to auditors', async () => {
  const [alias] = await readIds();
  expect(await readNames()).toEqual([null]);
  await setStatus('org_interested');
  await respond('accept');
  expect(await readIds()).toEqual([member.member_id]);
  expect(await readNames()).toEqual(['Test Person']);
  const auditor = await createColleague(app, org.org_id, 'auditor');
  expect(await readNames(auditor.token)).toEqual([null]);
  await forceMatchStatus(app, match_id, 'placed');
  expect(await readIds()).toEqual([member.member_id]);
  const body = { consent_type: 'matching', granted: false, version: '1.0' };
  await app.request('POST', '/members/me/consent', { token: member.token, body });
  // Before and after the tasks that follow the withdrawal.
  expect(await readIds()).toEqual([alias]);
  expect(await readNames()).toEqual([null]);
  await app.drainQueue();
  expect(await readIds()).toEqual([alias]);
});

test('a decline shows the alias, and events name the member as the organisation sees the member', async () => {
  const other = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
  await app.drainQueue();
  const [alias] = [...new Set([(await get(`/matches/${match_id}`)).member_id])];
  await setStatus('org_interested');
  await respond('decline');
  expect((await get(`/matches/${match_id}`)).member_id).toBe(alias);
  match_id = (await findStoredMatch(app, job_id, other.member_id)).id;
  await setStatus('org_interested');
  await app.request('POST', `/matches/${match_id}/response`, {
    token: other.token,
    body: { decision: 'accept' },
  });
  const events = await app.sql.list(sql<{ type: string; shown: string }>`
    select type, data->>'shown_member_id' as shown from events where type like 'match.%' and data->>'job_id' = ${job_id} order by created_at, type, id`);
  const listShown = (type: string) =>
    events.filter((event) => event.type === type).map((event) => event.shown);
  expect(listShown('match.declined')).toEqual([alias]);
  expect(listShown('match.accepted')).toEqual([other.member_id]);
  expect(listShown('match.proposed')).toContain(alias);
  expect(listShown('match.proposed')).not.toContain(other.member_id);
});

test('all matches of a job have the same date, whenever each was computed', async () => {
  const [date] = app.clock.now().toISOString().split('T');
  app.clock.advance(24 * 3_600_000);
  await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
  await app.drainQueue();
  const token = await logInAgain(app, org);
  const { data } = await get(`/orgs/me/jobs/${job_id}/matches`, token);
  const times = data.map(({ computed_at }: { computed_at: string }) => computed_at);
  expect(times).toEqual([`${date}T00:00:00.000Z`, `${date}T00:00:00.000Z`]);
});

test('a suspended administrator does not count', async () => {
  const other = await app.registerOrgAdmin();
  const viewer = await createColleague(app, other.org_id, 'org_viewer');
  await app.sql.run(sql`update users set suspended_at = now() where id = ${other.user_id}`);
  expect((await get('/orgs/me/matches', viewer.token)).code).toBe('email_not_verified');
});

test('without an administrator with a verified address, an organisation sees no match', async () => {
  const unverified = await app.registerOrgAdmin({ is_verified: false });
  const own_job = await createJob(app, unverified.token);
  await app.drainQueue();
  const own_match = (await findStoredMatch(app, own_job, member.member_id)).id;
  const viewer = await createColleague(app, unverified.org_id, 'org_viewer');
  const requests = [
    ['GET', `/orgs/me/jobs/${own_job}/matches`],
    ['GET', `/matches/job/${own_job}`],
    ['GET', '/orgs/me/matches'],
    ['GET', `/matches/${own_match}`],
    ['GET', `/matches/${own_match}/explanation`],
    ['GET', `/matches/${own_match}/requirements`],
    ['GET', `/matches/${own_match}/contact`],
  ] as const;
  const sendAll = async (token: string) =>
    Promise.all(
      requests.map(async ([method, path]) => {
        const { status, body } = await app.request(method, path, { token });
        return status === 403 ? body.code : status;
      }),
    );
  const refused = requests.map(() => 'email_not_verified');
  expect(await sendAll(unverified.token)).toEqual(refused);
  const body = { status: 'org_interested' };
  const put = await app.request('PUT', `/matches/${own_match}/status`, { token: unverified.token, body });
  expect([put.status, put.body.code]).toEqual([403, 'email_not_verified']);
  // A verified viewer is not enough; a verified administrator is enough for everybody.
  await app.sql.run(sql`update users set email_verified_at = now() where id = ${viewer.user_id}`);
  expect(await sendAll(viewer.token)).toEqual(refused);
  await app.sql.run(sql`update users set email_verified_at = now() where id = ${unverified.user_id}`);
  const open = [200, 200, 200, 200, 200, 200, 409];
  expect(await sendAll(unverified.token)).toEqual(open);
  expect(await sendAll(viewer.token)).toEqual(open);
});
