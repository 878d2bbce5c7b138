import { beforeEach, expect, test } from 'vitest';
import { claimDomains, recordOperatorProof } from '#modules/organisations/orgs';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestReply } from '#test/harness.ts';
import { createJob, findStoredMatch, insertStoredMatch } from '#test/modules/matching.ts';
import { noAccounts } from '#test/personal-data.ts';
import type { TestMember, TestOrgUser } from '#test/users.ts';
import { personalData } from '../personal-data.ts';

const day_ms = 24 * 3_600_000;
const priorities = { persistence: 1, autonomy_drive: 0.9, change_agility: 0.8, analytical_depth: 0.7 };

const app = await startApp();
let org: TestOrgUser;
let member: TestMember;
beforeEach(async () => {
  org = await app.registerOrgAdmin();
  member = await app.registerDeployedMember({ mean: Array<number>(20).fill(1.5) });
  await agree(member, '1.2');
});

const agree = (agreeing: TestMember, version: string, granted = true) =>
  app.request('POST', '/members/me/consent', {
    token: agreeing.token,
    body: { consent_type: 'matching', granted, version },
  });

/** Matches the member with a new job, and has the explanation written. */
async function matchWithJob(by: TestOrgUser = org, matched: TestMember = member): Promise<string> {
  const job_id = await createJob(app, by.token, priorities);
  await app.drainQueue();
  return findMatchId(job_id, by, matched);
}

/** A match with the job as it is now. It is added where the fit alone would not give one. */
async function findMatchId(
  job_id: string,
  by: TestOrgUser = org,
  matched: TestMember = member,
): Promise<string> {
  await insertStoredMatch(app, { member_id: matched.member_id, job_id, org_id: by.org_id });
  return (await findStoredMatch(app, job_id, matched.member_id)).id;
}

const readJobId = async (match_id: string) =>
  (await app.sql.one(sql<{ job_id: string }>`select job_id from matches where id = ${match_id}`)).job_id;

async function readExplanation(match_id: string, token: string = org.token): Promise<TestReply['body']> {
  const read = () => app.request('GET', `/matches/${match_id}/explanation`, { token });
  const first = await read();
  if (first.status !== 202) return first.body;
  await app.drainQueue();
  return (await read()).body;
}

/** The traits that an organisation reads about in detail; null if it does not. */
async function listDetails(match_id: string, token?: string): Promise<readonly string[] | null> {
  const { standings } = await readExplanation(match_id, token);
  return standings?.map((each: { readonly trait: string }) => each.trait) ?? null;
}

const countDisclosed = async () =>
  (
    await app.sql.one(
      sql<{ count: number }>`select count(*) from disclosed_standings where member_id = ${member.member_id}`,
    )
  ).count;

test('two people of a job that are read at once for the first time are both described in detail', async () => {
  const other = await app.registerDeployedMember({ mean: Array<number>(20).fill(1.5) });
  await agree(other, '1.2');
  const match_id = await matchWithJob();
  const other_id = await findMatchId(await readJobId(match_id), org, other);
  await readExplanation(match_id, member.token);
  await readExplanation(other_id, other.token);
  const details = await Promise.all([match_id, other_id].map((id) => listDetails(id)));
  expect(details).toEqual([Object.keys(priorities), Object.keys(priorities)]);
});

test('an organisation reads about the people of the job that it looks at first in detail, and the member reads the same', async () => {
  const match_id = await matchWithJob();
  const path = `/orgs/me/jobs/${await readJobId(match_id)}/table`;
  const asOrg = await readExplanation(match_id);
  expect(asOrg.standings.map((each: { readonly trait: string }) => each.trait)).toEqual(
    Object.keys(priorities),
  );
  const asMember = await readExplanation(match_id, member.token);
  expect([asMember.standings, asMember.questions]).toEqual([asOrg.standings, asOrg.questions]);
  const { body } = await app.request('GET', path, { token: org.token });
  const row = body.data.find(
    (each: { readonly match: { readonly id: string } }) => each.match.id === match_id,
  );
  expect(row.priorities.map(({ state: _state, ...each }: { readonly state: string }) => each)).toEqual(
    asOrg.standings,
  );
});

test('nothing is disclosed about a member who has not agreed to it, or no longer does', async () => {
  const match_id = await matchWithJob();
  for (const version of ['1.0', '1.1']) {
    await agree(member, version);
    expect(await listDetails(match_id)).toBeNull();
  }
  await agree(member, '1.2');
  expect(await listDetails(match_id)).toBeNull();
  app.clock.advance(10 * 60_000);
  expect(await listDetails(match_id)).toHaveLength(4);
  await agree(member, '1.0');
  expect(await listDetails(match_id)).toBeNull();
});

test('another job, and the same job after a change, disclose nothing more within a year', async () => {
  const match_id = await matchWithJob();
  expect(await listDetails(match_id)).toHaveLength(4);
  const other = await matchWithJob();
  expect(await listDetails(other)).toBeNull();
  const job_id = await readJobId(match_id);
  const body = { trait_priorities: { ...priorities, persistence: 0.6 } };
  await app.request('PATCH', `/orgs/me/jobs/${job_id}`, { token: org.token, body });
  await app.drainQueue();
  const changed = await findMatchId(job_id);
  expect(changed).not.toBe(match_id);
  expect(await listDetails(changed)).toBeNull();
  app.clock.advance(365 * day_ms);
  const token = (
    await app.request('POST', '/auth/login', { body: { email: org.email, password: org.password } })
  ).body.access_token;
  expect(await listDetails(changed, token)).toHaveLength(4);
  expect(await countDisclosed()).toBe(1);
});

test('a version that nobody looked at uses up nothing', async () => {
  const match_id = await matchWithJob();
  await readExplanation(match_id, member.token);
  expect(await countDisclosed()).toBe(0);
  expect(await listDetails(await matchWithJob())).toHaveLength(4);
});

test('a consent that is withdrawn and given again does not disclose a second time', async () => {
  expect(await listDetails(await matchWithJob())).toHaveLength(4);
  await agree(member, '1.2', false);
  await app.drainQueue();
  await agree(member, '1.2');
  await app.drainQueue();
  expect(await listDetails(await matchWithJob())).toBeNull();
});

test('a job that is closed and reopened keeps its details', async () => {
  const match_id = await matchWithJob();
  expect(await listDetails(match_id)).toHaveLength(4);
  const job_id = await readJobId(match_id);
  await app.request('DELETE', `/orgs/me/jobs/${job_id}`, { token: org.token });
  await app.drainQueue();
  await app.request('PATCH', `/orgs/me/jobs/${job_id}`, { token: org.token, body: { status: 'active' } });
  await app.drainQueue();
  expect(await listDetails(await findMatchId(job_id))).toHaveLength(4);
});

test('a member who accepts an interest is described in detail for this job', async () => {
  await readExplanation(await matchWithJob());
  const match_id = await matchWithJob();
  expect(await listDetails(match_id)).toBeNull();
  await app.request('PUT', `/matches/${match_id}/status`, {
    token: org.token,
    body: { status: 'org_interested' },
  });
  await app.request('POST', `/matches/${match_id}/response`, {
    token: member.token,
    body: { decision: 'accept' },
  });
  expect(await listDetails(match_id)).toHaveLength(4);
});

test('an organisation whose owner is not known reads nothing in detail, and those of one domain count as one', async () => {
  const register = () =>
    app.registerOrgAdmin({ email: `p${Math.random().toString(36).slice(2)}@quay-mail.org` });
  const prove = async ({ org_id }: TestOrgUser, domain: string) =>
    app.sql.transaction(async (tx) => {
      await claimDomains(tx, { org_id, domains: [domain], now: app.clock.now() });
      await recordOperatorProof(app.platform, tx, { org_id, domain, actor: null });
    });
  const [first, second, stranger] = [await register(), await register(), await register()];
  await prove(first, 'pier.example-harbour.com');
  await prove(second, 'quay.example-harbour.com');
  expect(await listDetails(await matchWithJob(first), first.token)).toHaveLength(4);
  expect(await listDetails(await matchWithJob(second), second.token)).toBeNull();
  expect(await listDetails(await matchWithJob(stranger), stranger.token)).toBeNull();
});

test('the member’s export says who reads details, and the erasure deletes it', async () => {
  await readExplanation(await matchWithJob());
  const exported = await personalData.exportPersonalData(app.sql, member.member_id, noAccounts);
  expect(exported.find(({ name }) => name === 'disclosed_standings')?.rows).toEqual([
    { org_name: expect.stringContaining('Test Organisation'), disclosed_at: app.clock.now() },
  ]);
  await app.sql.transaction((tx) => personalData.erasePersonalData(tx, member.member_id, noAccounts));
  expect(await countDisclosed()).toBe(0);
});
