import * as fc from 'fast-check';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { unknownId, startApp, type TestApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { exportPersonalData } from '../personal-data.ts';
import { sql } from '#platform/database/database.ts';
import { traitCodes } from '#modules/traits';
import {
  fillSlots,
  createJob,
  insertMembers,
  findNumberPaths,
  remeasureMember,
  forceMatchStatus,
  listStoredMatches,
} from '#test/modules/matching.ts';

let app: TestApp;
let org: Awaited<ReturnType<TestApp['registerOrgAdmin']>>;
let member: Awaited<ReturnType<TestApp['registerDeployedMember']>>;
let job_id: string;
let match_id: string;

const able = traitCodes.map((code) => (code === 'discretion' ? -1 : 1.6));

beforeAll(async () => {
  app = await startApp();
  org = await app.registerOrgAdmin();
  member = await app.registerDeployedMember({ mean: able });
});
beforeEach(async () => {
  job_id = await createJob(app, org.token, { persistence: 1, sincerity: 0.5, discretion: 0.5 });
  await app.drainQueue();
  match_id = (await listStoredMatches(app, job_id)).find((each) => each.member_id === member.member_id)!.id;
});

const read = (token: string | undefined = member.token, id = match_id) =>
  app.request('GET', `/matches/${id}/explanation`, { ...(token && { token }) });

async function explained(token = member.token) {
  await read(token);
  await app.drainQueue();
  return read(token);
}

const consent = (granted: boolean) =>
  app.request('POST', '/members/me/consent', {
    token: member.token,
    body: { consent_type: 'matching', granted, version: '1' },
  });

const generated = async () =>
  (
    await app.sql.one(
      sql<{ count: number }>`select count(*) from tasks where name = 'matching.generateExplanation'`,
    )
  ).count;

test('a match is explained in words, to both sides alike', async () => {
  proves(
    'match-explanation-endpoint-jwt',
    'match-explanation-fields',
    'match-explanation-belonging-breakdown-fields',
    'match-members-see-tier-labels-only',
    'trait-weights-not-exposed',
  );
  const { status, body } = await explained();
  expect([status, body]).toEqual([
    200,
    {
      match_id,
      top_strengths: [
        'Persistence: keeps going until a task is done, also when it is tedious or hard.',
        'Sincerity: is genuine with people and does not pretend for advantage.',
      ],
      growth_areas: ['Discretion: openness comes more naturally, and this job holds things in confidence.'],
      belonging_breakdown: { authenticity: 'unknown', acceptance: 'unknown', complementarity: 'unknown' },
      confidence_statement: expect.stringMatching(/^This rests on /),
      summary_text: expect.stringContaining(
        'What speaks for it most: persistence and sincerity. Worth talking about: discretion.',
      ),
    },
  ]);
  const { match_id: _id, ...words } = body;
  expect(JSON.stringify(words)).not.toMatch(/\d/);
  const asOrg = await read(org.token);
  expect([asOrg.status, asOrg.body]).toEqual([200, body]);
});

test('202 while it is made: one task for each who waits, however often they ask', async () => {
  proves('match-explanation-202-while-generated');
  const before = await generated();
  const [first, again] = [await read(), await read()];
  expect([first.status, first.body]).toEqual([
    202,
    { task_id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'queued' },
  ]);
  expect([again.status, again.body]).toEqual([202, first.body]);
  const asOrg = await read(org.token);
  expect(asOrg.body.task_id).not.toBe(first.body.task_id);
  expect(await generated()).toBe(before + 2);
  await app.drainQueue();
  const task = await app.request('GET', `/tasks/${first.body.task_id}`, { token: member.token });
  expect(task.body).toMatchObject({
    status: 'succeeded',
    result_url: `http://localhost:8420/api/v1/matches/${match_id}/explanation`,
  });
  expect([(await read()).status, (await read(org.token)).status]).toEqual([200, 200]);
});

test('two who ask at the same moment wait for one task each', async () => {
  const answers = await Promise.all([read(), read(), read()]);
  expect(new Set(answers.map(({ body }) => body.task_id)).size).toBe(1);
});

test('a failed task is not waited for', async () => {
  const first = await read();
  await app.sql.run(sql`update tasks set status = 'failed' where id = ${first.body.task_id}`);
  const second = await read();
  expect([second.status, second.body.task_id === first.body.task_id]).toEqual([202, false]);
});

test('it is made anew when the job, the member or the culture changed, and not when a computation repeated itself', async () => {
  await explained();
  app.clock.advance(60_000);
  await app.request('POST', `/matches/compute?job_id=${job_id}`, { token: org.token });
  await app.drainQueue();
  expect((await read()).status).toBe(200);
  await app.request('PATCH', `/orgs/me/jobs/${job_id}`, {
    token: org.token,
    body: { trait_priorities: { sincerity: 1 } },
  });
  await app.drainQueue();
  expect((await read()).status).toBe(202);
  expect((await explained()).body.top_strengths).toHaveLength(1);
  await remeasureMember(app, member.member_id, 1.7);
  expect((await read()).status).toBe(202);
  expect((await explained()).body.growth_areas).toEqual([]);
  await app.sql.run(sql`
    insert into culture_profiles (org_id, version, questionnaire_version, respondents, braving, cvf, computed_at)
    values (${org.org_id}, 1, 'culture-1', 5,
      '{"boundaries": 0.9, "nonjudgment": 0.9, "generosity": 0.9, "reliability": 0.5, "accountability": 0.5, "vault": 0.5, "integrity": 0.5}',
      '{"clan": 0.25, "adhocracy": 0.25, "market": 0.25, "hierarchy": 0.25}', ${app.clock.now()})`);
  expect((await read()).status).toBe(202);
  const { body } = await explained();
  expect(body.belonging_breakdown).toEqual({
    authenticity: 'moderate',
    acceptance: 'high',
    complementarity: 'high',
  });
  expect(body.summary_text).toContain('The trust that is needed to do well is there.');
});

test('what has ended keeps the explanation that it had', async () => {
  const before = (await explained()).body;
  await forceMatchStatus(app, match_id, 'org_passed');
  await remeasureMember(app, member.member_id, 1.6);
  expect((await read()).body).toEqual(before);
});

test('withdrawn consent ends the explanation at the next read, and it is forgotten with the match', async () => {
  await explained();
  await forceMatchStatus(app, match_id, 'org_interested');
  await consent(false);
  const [asOrg, asMember] = [await read(org.token), await read()];
  expect([asOrg.status, asOrg.body.code]).toEqual([403, 'consent_required']);
  expect([asMember.status, asMember.body.code]).toEqual([403, 'engagement_level_too_low']);
  await app.drainQueue();
  const kept = await app.sql.list(sql`select from match_explanations where match_id = ${match_id}`);
  expect(kept).toEqual([]);
  await consent(true);
  await app.drainQueue();
  // Deployed again, for other matches: what was left stays left.
  expect((await read(org.token)).body.code).toBe('consent_required');
  expect((await explained()).status).toBe(200);
});

test('a task that comes after the withdrawal explains nothing', async () => {
  await read(org.token);
  await consent(false);
  await app.drainQueue();
  expect(await app.sql.list(sql`select from match_explanations where match_id = ${match_id}`)).toEqual([]);
  await consent(true);
  await app.drainQueue();
});

test('it is part of the member’s own copy, and goes with the match', async () => {
  await explained();
  const held = await exportPersonalData(app.sql, member.member_id);
  const explanations = held.find(({ name }) => name === 'match_explanations')!;
  expect(explanations.rows.map((row) => row['match_id'])).toContain(match_id);
  await app.sql.run(sql`delete from matches where id = ${match_id}`);
  expect(await app.sql.list(sql`select from match_explanations where match_id = ${match_id}`)).toEqual([]);
});

test('to everybody else the match is as absent as one that nobody has', async () => {
  const others = [
    await app.registerDeployedMember({ mean: fillSlots(0) }),
    await app.registerOrgAdmin(),
    await app.registerPlatformAdmin(),
  ];
  const before = await generated();
  for (const { token } of others) {
    const { status, body } = await read(token);
    expect([status, body.code]).toEqual([404, 'match_not_found']);
  }
  expect((await read(member.token, unknownId)).body.code).toBe('match_not_found');
  expect((await read(member.token, 'x')).status).toBe(422);
  expect((await read('')).status).toBe(401);
  expect(await generated()).toBe(before);
});

test('whoever is matched, no reply to their organisation holds a number', async () => {
  proves('match-members-see-tier-labels-only');
  const slots = (of: fc.Arbitrary<number>) => fc.array(of, { minLength: 20, maxLength: 20 });
  const [population] = fc.sample(
    fc.array(
      fc.record({
        mean: slots(fc.float({ min: -1, max: 3, noNaN: true })),
        variance: slots(fc.float({ min: 0, max: 1, noNaN: true })),
      }),
      { minLength: 30, maxLength: 30 },
    ),
    1,
  );
  await insertMembers(app, population!);
  const job = await createJob(app, org.token, { persistence: 0.8, decision_mode: 0.6, fair_dealing: 0.3 });
  await app.drainQueue();
  const matches = await listStoredMatches(app, job);
  expect(matches.length).toBeGreaterThan(3);
  for (const { id } of matches) expect((await read(org.token, id)).status).toBe(202);
  await app.drainQueue();
  for (const { id } of matches) {
    const { status, body } = await read(org.token, id);
    expect([status, findNumberPaths(body)]).toEqual([200, []]);
  }
});
