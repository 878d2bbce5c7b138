import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createJob, fillSlots, listStoredMatches, tierMeans } from '#test/modules/matching.ts';
import { noAccounts } from '#test/personal-data.ts';
import { sql } from '#platform/database/database.ts';
import { personalData } from '../personal-data.ts';

const app = await startApp();
const noted = { external_ref: 'application-1', metadata: { stage: 'phone 2', recruiter: 'kim' } };

/** An organisation with a job, and two members who match it. */
async function prepare() {
  const org = await app.registerOrgAdmin();
  const members = [1, 2].map(() => app.registerDeployedMember({ mean: fillSlots(tierMeans.strong) }));
  const [member, other] = await Promise.all(members);
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  const matches = await listStoredMatches(app, job_id);
  const findId = (member_id: string) => matches.find((each) => each.member_id === member_id)!.id;
  return {
    org,
    job_id,
    member: member!,
    match_id: findId(member!.member_id),
    other_id: findId(other!.member_id),
  };
}

const set = (token: string | undefined, match_id: string, body: object) =>
  app.request('PUT', `/matches/${match_id}/reference`, { body, ...(token !== undefined && { token }) });

const list = (token: string, job_id: string, query = '') =>
  app.request('GET', `/orgs/me/jobs/${job_id}/references${query}`, { token });

test('what a program notes is stored, replaced, emptied, listed and found', async () => {
  const { org, job_id, match_id, other_id } = await prepare();
  expect(await set(org.token, match_id, noted)).toMatchObject({ status: 200, body: { match_id, ...noted } });
  await set(org.token, other_id, { external_ref: 'application-2' });
  const viewer = await createColleague(app, org.org_id, 'org_viewer');
  const all = (await list(viewer.token, job_id)).body;
  expect([all.data.length, all.pagination.total_count]).toEqual([2, 2]);
  const found = (await list(org.token, job_id, '?external_ref=application-1')).body;
  expect([found.data, found.pagination.total_count]).toEqual([[{ match_id, ...noted }], 1]);
  const page = (await list(org.token, job_id, '?limit=1')).body;
  const next = (await list(org.token, job_id, `?limit=1&cursor=${page.pagination.next_cursor}`)).body;
  expect(new Set([...page.data, ...next.data].map((each) => each.match_id))).toEqual(
    new Set([match_id, other_id]),
  );
  await set(org.token, match_id, {});
  expect((await list(org.token, job_id)).body.data).toMatchObject([{ match_id: other_id }]);
});

test('texts that are too long or too many are refused by the name of the field', async () => {
  const { org, match_id } = await prepare();
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`n${index}`, 'x']));
  for (const [body, pointer] of [
    [{ external_ref: 'x'.repeat(201) }, '/external_ref'],
    [{ metadata: { note: 'x'.repeat(501) } }, '/metadata/note'],
    [{ metadata: many }, '/metadata'],
    [{ metadata: { note: 7 } }, '/metadata/note'],
  ] as const) {
    const reply = await set(org.token, match_id, body);
    expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, pointer]);
  }
});

test('members, viewers, other organisations and strangers neither write nor read it', async () => {
  const { org, job_id, member, match_id } = await prepare();
  await set(org.token, match_id, noted);
  const viewer = await createColleague(app, org.org_id, 'org_viewer');
  const other = await app.registerOrgAdmin();
  expect((await set(member.token, match_id, {})).body.code).toBe('role_not_allowed');
  expect((await set(viewer.token, match_id, {})).body.code).toBe('role_not_allowed');
  expect((await set(other.token, match_id, {})).body.code).toBe('match_not_found');
  expect((await set(org.token, unknownId, {})).body.code).toBe('match_not_found');
  expect((await set(undefined, match_id, {})).status).toBe(401);
  expect((await list(other.token, job_id)).body.code).toBe('job_not_found');
  expect((await list(member.token, job_id)).body.code).toBe('role_not_allowed');
  expect(
    JSON.stringify((await app.request('GET', `/matches/${match_id}`, { token: member.token })).body),
  ).not.toContain(noted.external_ref);
  expect((await list(org.token, job_id)).body.data).toHaveLength(1);
});

test('it goes when the member withdraws, and with the erasure of the member', async () => {
  const [left, erased] = [await prepare(), await prepare()];
  for (const { org, match_id } of [left, erased]) await set(org.token, match_id, noted);
  const interest = { token: left.org.token, body: { status: 'org_interested' } };
  await app.request('PUT', `/matches/${left.match_id}/status`, interest);
  const body = { consent_type: 'matching', granted: false, version: '1.0' };
  await app.request('POST', '/members/me/consent', { token: left.member.token, body });
  await app.drainQueue();
  const count = ({ job_id }: { job_id: string }) =>
    app.sql.list(sql`select from match_references where job_id = ${job_id}`);
  expect(await count(left)).toHaveLength(0);
  expect((await set(left.org.token, left.match_id, noted)).body.code).toBe('match_ended');
  await app.sql.transaction((tx) => personalData.erasePersonalData(tx, erased.member.member_id, noAccounts));
  expect(await count(erased)).toHaveLength(0);
});
