import { expect, test } from 'vitest';
import { traitCodes } from '#modules/measurement/traits';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import {
  fillMeans,
  deleteStoredMatches,
  fillSlots,
  createJob,
  findNumberPaths,
  forceMatchStatus,
  persistencePriorities,
  tierMeans,
} from '#test/modules/matching.ts';

const app = await startApp();

const listMatches = (token: string, query = '') =>
  app.request('GET', `/members/me/matches${query}`, { token });

const registerStrongMember = (variance = 0.15) =>
  app.registerDeployedMember({ mean: fillMeans(tierMeans.strong), variance: fillSlots(variance) });

test('a deployed member lists their matches with tiers, job titles and organisation names', async () => {
  proves(
    'match-member-list-endpoint-jwt',
    'match-member-list-item-fields',
    'match-member-list-confidence-level-value-high',
    'match-quality-value-strong',
  );
  const org = await app.registerOrgAdmin({ name: 'Harbour Archive' });
  const member = await app.registerDeployedMember({ mean: fillMeans(1.6), variance: fillSlots(0.01) });
  await createJob(app, org.token, persistencePriorities, 'Archivist');
  await app.drainQueue();
  const { status, body } = await listMatches(member.token);
  expect(status).toBe(200);
  expect(body).toEqual({
    data: [
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        job_title: 'Archivist',
        org_name: 'Harbour Archive',
        match_tier: 'strong',
        confidence_level: 'high',
        preliminary: false,
        provisional: false,
        status: 'pending_review',
        created_at: app.clock.now().toISOString(),
      },
    ],
    pagination: { next_cursor: null, has_more: false, total_count: 1 },
  });
});

test('a job that was renamed has its new title in the lists of its members', async () => {
  const org = await app.registerOrgAdmin();
  const member = await registerStrongMember();
  const job_id = await createJob(app, org.token, persistencePriorities, 'Binder');
  await app.drainQueue();
  const listTitles = async () =>
    (await listMatches(member.token)).body.data.map(({ job_title }: { job_title: string }) => job_title);
  expect(await listTitles()).toContain('Binder');
  const body = { title: 'Binder of books' };
  await app.request('PATCH', `/orgs/me/jobs/${job_id}`, { token: org.token, body });
  expect(await listTitles()).toContain('Binder of books');
  expect(await listTitles()).not.toContain('Binder');
});

test('the matches from a preliminary result are marked, towards the member only', async () => {
  const org = await app.registerOrgAdmin();
  const member = await registerStrongMember();
  await app.sql.run(sql`update trait_vectors set stage = 'first' where member_id = ${member.member_id}`);
  const job_id = await createJob(app, org.token, persistencePriorities);
  await app.drainQueue();
  const { body } = await listMatches(member.token);
  expect(body.data.map(({ preliminary }: { preliminary: boolean }) => preliminary)).toContain(true);
  const theirs = await app.request('GET', `/matches/job/${job_id}`, { token: org.token });
  expect(theirs.body.data.length).toBeGreaterThan(0);
  expect(JSON.stringify(theirs.body)).not.toContain('preliminary');
});

test('no number about a match reaches its member', async () => {
  proves('match-members-see-tier-labels-only');
  const org = await app.registerOrgAdmin();
  const member = await registerStrongMember();
  for (const title of ['Archivist', 'Keeper']) await createJob(app, org.token, persistencePriorities, title);
  await app.drainQueue();
  const { body } = await listMatches(member.token, '?limit=1');
  expect(findNumberPaths(body)).toEqual([]);
  const place = Buffer.from(body.pagination.next_cursor, 'base64url').toString('utf8', 16);
  expect(JSON.parse(place)).toEqual([body.data[0].match_tier, body.data[0].created_at, body.data[0].id]);
});

test('pages contain every match once, the newest first among equals, and the list can be filtered by status', async () => {
  proves('match-member-list-query-parameters');
  const org = await app.registerOrgAdmin();
  const member = await registerStrongMember();
  await app.drainQueue();
  await deleteStoredMatches(app, member.member_id);
  for (const title of ['first', 'second', 'third']) {
    for (const _ of [1, 2]) await createJob(app, org.token, persistencePriorities, title);
    app.clock.advance(1_000);
    await app.drainQueue();
  }
  type Listed = { readonly id: string; readonly job_title: string };
  const seen: Listed[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await listMatches(member.token, `?limit=1${cursor && `&cursor=${cursor}`}`);
    expect(body.pagination.total_count).toBe(6);
    seen.push(...body.data);
    cursor = body.pagination.next_cursor;
  }
  expect(seen.map(({ job_title }) => job_title)).toEqual([
    'third',
    'third',
    'second',
    'second',
    'first',
    'first',
  ]);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(6);
  await forceMatchStatus(app, seen[3]!.id, 'org_interested');
  const { body } = await listMatches(member.token, '?status=org_interested');
  expect(body.data.map(({ id }: Listed) => id)).toEqual([seen[3]!.id]);
  expect(body.pagination.total_count).toBe(1);
  for (const query of ['?status=open', '?quality=strong', '?limit=0'])
    expect((await listMatches(member.token, query)).status).toBe(422);
});

test('within a tier, what suits the member best is first, whenever the match was made, also across pages', async () => {
  const org = await app.registerOrgAdmin();
  const member = await registerStrongMember(0.05);
  await app.drainQueue();
  await deleteStoredMatches(app, member.member_id);
  // The more a job asks for the one trait in which the member is high, the better it suits the member.
  const shares = { 'third best': 0.6, best: 1, 'second best': 0.8 };
  for (const [title, persistence] of Object.entries(shares)) {
    await createJob(app, org.token, { persistence, analytical_depth: 1.6 - persistence }, title);
    app.clock.advance(1_000);
    await app.drainQueue();
  }
  type Listed = { readonly job_title: string; readonly match_tier: string };
  const seen: Listed[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await listMatches(member.token, `?limit=1${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.data);
    cursor = body.pagination.next_cursor;
  }
  expect(new Set(seen.map(({ match_tier }) => match_tier)).size).toBe(1);
  expect(seen.map(({ job_title }) => job_title)).toEqual(['best', 'second best', 'third best']);
});

test('the best tier is first, whenever the match was made, also across pages', async () => {
  const org = await app.registerOrgAdmin();
  const mean = fillMeans(2, ['persistence']).with(traitCodes.indexOf('discretion'), 1.1);
  const member = await app.registerDeployedMember({ mean, variance: fillSlots(0.05) });
  for (const trait_priorities of [
    { persistence: 1 },
    { discretion: 1 },
    { persistence: 1, accountability: 0.3 },
  ]) {
    await createJob(app, org.token, trait_priorities);
    app.clock.advance(1_000);
    await app.drainQueue();
  }
  const tiers: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await listMatches(member.token, `?limit=1${cursor && `&cursor=${cursor}`}`);
    tiers.push(...body.data.map(({ match_tier }: { match_tier: string }) => match_tier));
    cursor = body.pagination.next_cursor;
  }
  const order = ['exceptional', 'strong', 'moderate', 'developing'];
  expect(new Set(tiers).size).toBeGreaterThan(1);
  expect(tiers).toEqual(tiers.toSorted((one, other) => order.indexOf(one) - order.indexOf(other)));
});

test('reading an empty list starts nothing', async () => {
  const member = await app.registerDeployedMember({ mean: fillMeans(-3), variance: fillSlots(0.1) });
  await app.drainQueue();
  await deleteStoredMatches(app, member.member_id);
  expect((await listMatches(member.token)).body.data).toEqual([]);
  expect(await app.drainQueue()).toBe(0);
});

test('the list requires engagement level 4', async () => {
  proves('match-member-list-needs-engagement-level-4');
  const newcomer = await app.registerMember();
  const former = await registerStrongMember();
  expect((await listMatches(former.token)).status).toBe(200);
  const body = { consent_type: 'matching', granted: false, version: '1.0' };
  await app.request('POST', '/members/me/consent', { token: former.token, body });
  for (const { token } of [newcomer, former]) {
    const reply = await listMatches(token);
    expect([reply.status, reply.body.code]).toEqual([403, 'engagement_level_too_low']);
  }
});

test('a member sees only their own matches and cannot use the cursor of another member', async () => {
  const org = await app.registerOrgAdmin();
  const [one, other] = [await registerStrongMember(), await registerStrongMember()];
  for (const _ of [1, 2]) await createJob(app, org.token);
  await app.drainQueue();
  const listIds = async (token: string): Promise<string[]> =>
    (await listMatches(token)).body.data.map(({ id }: { id: string }) => id);
  const [ofOne, ofOther] = [await listIds(one.token), await listIds(other.token)];
  expect(ofOne.filter((id) => ofOther.includes(id))).toEqual([]);
  const cursor: string = (await listMatches(one.token, '?limit=1')).body.pagination.next_cursor;
  expect((await listMatches(other.token, `?cursor=${cursor}`)).body.code).toBe('cursor_invalid');
});

test('organisations, platform administrators and anonymous callers cannot use this list', async () => {
  for (const { token } of [await app.registerOrgAdmin(), await app.registerPlatformAdmin()])
    expect((await listMatches(token)).status).toBe(403);
  expect((await app.request('GET', '/members/me/matches')).status).toBe(401);
});
