import * as fc from 'fast-check';
import { noAccounts } from '#test/personal-data.ts';
import { beforeEach, expect, test } from 'vitest';
import { traitCodes, type TraitPriorities } from '#modules/measurement/traits';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId } from '#test/harness.ts';
import {
  fillMeans,
  createJob,
  insertMembers,
  findNumberPaths,
  remeasureMember,
  forceMatchStatus,
  listStoredMatches,
  runTask,
} from '#test/modules/matching.ts';
import { proves } from '#test/requirements.ts';
import { waitUntilBlocked } from '#test/wait-until-blocked.ts';
import { generateExplanation } from './generate-explanation.ts';
import { personalData } from '../personal-data.ts';

let job_id: string;
let match_id: string;

const known = { persistence: 2.5, sincerity: 1.6, discretion: -1 } as const;
const means = traitCodes.map((code) => (Object.hasOwn(known, code) ? known[code as keyof typeof known] : 0));

const app = await startApp();
const org = await app.registerOrgAdmin();
const member = await app.registerDeployedMember({ mean: means });
beforeEach(async () => {
  job_id = await createJob(app, org.token, { persistence: 1, sincerity: 0.5, discretion: 0.5 });
  await computeWithoutReasons();
  match_id = await findMatchId();
});

/** Lets the matches be computed, and deletes the reasons that are written before anyone looks. */
async function computeWithoutReasons(): Promise<void> {
  await app.drainQueue();
  await app.sql.run(sql`
    delete from match_explanations where match_id in (select id from matches where match_status = 'pending_review')`);
}

const findMatchId = async () =>
  (await listStoredMatches(app, job_id)).find((each) => each.member_id === member.member_id)!.id;

async function changePriorities(trait_priorities: TraitPriorities): Promise<void> {
  const path = `/orgs/me/jobs/${job_id}`;
  await app.request('PATCH', path, { token: org.token, body: { trait_priorities } });
  await computeWithoutReasons();
}

const setStatus = (status: string) =>
  app.request('PUT', `/matches/${match_id}/status`, { token: org.token, body: { status } });

const readExplanation = (token: string | undefined = member.token, id = match_id) =>
  app.request('GET', `/matches/${id}/explanation`, { ...(token && { token }) });

async function generateAndRead(token = member.token) {
  await readExplanation(token);
  await app.drainQueue();
  return readExplanation(token);
}

const setConsent = (granted: boolean) =>
  app.request('POST', '/members/me/consent', {
    token: member.token,
    body: { consent_type: 'matching', granted, version: '1.0' },
  });

const countGenerations = async () =>
  (
    await app.sql.one(
      sql<{ count: number }>`select count(*) from tasks where name = 'matches.generateExplanation'`,
    )
  ).count;

test('a match is explained to its member as you, and to its organisation without a word about integrity', async () => {
  proves(
    'match-explanation-endpoint-jwt',
    'match-explanation-fields',
    'match-explanation-belonging-breakdown-fields',
    'match-members-see-tier-labels-only',
    'trait-weights-not-exposed',
  );
  const { status, body } = await generateAndRead();
  expect([status, body]).toEqual([
    200,
    {
      match_id,
      top_strengths: [
        'Persistence: you keep going until a task is done, even when it is tedious or hard.',
        'Sincerity: you show genuine opinions and no pretence.',
      ],
      growth_areas: ['Discretion: you prefer openness, and this job asks for care with confidences.'],
      belonging_breakdown: { authenticity: 'unknown', acceptance: 'unknown', complementarity: 'unknown' },
      belonging_basis: null,
      confidence_statement: expect.stringMatching(/^Another assessment /),
      provisional: false,
      summary_text: expect.stringContaining(
        'This job asks most for persistence and sincerity. Persistence is above average in you. Sincerity is above average in you. Your main strengths for this job: persistence and sincerity. Room to grow: discretion.',
      ),
      standings: null,
      questions: [],
    },
  ]);
  const asOrg = (await readExplanation(org.token)).body;
  expect(asOrg).toMatchObject({
    top_strengths: [
      'Persistence: this person keeps going until a task is done, even when it is tedious or hard.',
    ],
    growth_areas: [],
    summary_text: expect.stringContaining(
      'Of what is described here, this job asks most for persistence. Persistence is above average in this person. Sincerity is better judged in conversations and from references than from an assessment.',
    ),
  });
  for (const { match_id: _id, ...words } of [body, asOrg]) expect(JSON.stringify(words)).not.toMatch(/\d/);
});

test('the values that a member states are part of the member’s explanation, which is generated again when they change', async () => {
  await app.sql.run(sql`
    insert into matching_preferences (member_id, clearance_held, "values", updated_at)
    values (${member.member_id}, 'none', '{"clan": 10, "adhocracy": 90, "market": 0, "hierarchy": 0}', ${app.clock.now()})`);
  const claim = 'You said that new ideas and change matter most to you.';
  expect((await generateAndRead()).body.summary_text).toContain(claim);
  expect(JSON.stringify((await readExplanation(org.token)).body)).not.toContain('new ideas and change');
  await app.sql.run(sql`delete from matching_preferences where member_id = ${member.member_id}`);
  expect((await readExplanation()).status).toBe(202);
  expect((await generateAndRead()).body.summary_text).not.toContain('You said');
});

test('replies 202 while the explanation is generated, with one task for each user regardless of repeated requests', async () => {
  proves('match-explanation-202-while-generated');
  const before = await countGenerations();
  const [first, again] = [await readExplanation(), await readExplanation()];
  expect([first.status, first.body]).toEqual([
    202,
    { task_id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'queued' },
  ]);
  expect([again.status, again.body]).toEqual([202, first.body]);
  const asOrg = await readExplanation(org.token);
  expect(asOrg.body.task_id).not.toBe(first.body.task_id);
  expect(await countGenerations()).toBe(before + 2);
  await app.drainQueue();
  const task = await app.request('GET', `/tasks/${first.body.task_id}`, { token: member.token });
  expect(task.body).toMatchObject({
    status: 'succeeded',
    result_url: `http://localhost:8420/api/v1/matches/${match_id}/explanation`,
  });
  expect([(await readExplanation()).status, (await readExplanation(org.token)).status]).toEqual([200, 200]);
});

test('concurrent requests of one user get the same task', async () => {
  const replies = await Promise.all([readExplanation(), readExplanation(), readExplanation()]);
  expect(new Set(replies.map(({ body }) => body.task_id)).size).toBe(1);
});

test('a request after a failed task starts a new one', async () => {
  const first = await readExplanation();
  await app.sql.run(sql`update tasks set status = 'failed' where id = ${first.body.task_id}`);
  const second = await readExplanation();
  expect([second.status, second.body.task_id === first.body.task_id]).toEqual([202, false]);
});

test('the explanation is generated again when the job, the member or the culture changes, but not when a computation is repeated', async () => {
  await generateAndRead();
  app.clock.advance(60_000);
  await app.request('POST', `/matches/compute?job_id=${job_id}`, { token: org.token });
  await app.drainQueue();
  expect((await readExplanation()).status).toBe(200);
  await changePriorities({ sincerity: 1 });
  expect((await readExplanation()).body.code).toBe('match_not_found');
  match_id = await findMatchId();
  expect((await readExplanation()).status).toBe(202);
  expect((await generateAndRead()).body.top_strengths).toHaveLength(1);
  await remeasureMember(app, member.member_id, 1.7, ['persistence', 'sincerity']);
  expect((await readExplanation()).status).toBe(202);
  expect((await generateAndRead()).body.growth_areas).toEqual([]);
  await app.sql.run(sql`
    insert into culture_profiles (org_id, version, questionnaire_version, respondents, braving, cvf, computed_at)
    values (${org.org_id}, 1, 'culture-1', 5,
      '{"boundaries": 0.9, "nonjudgment": 0.9, "generosity": 0.9, "reliability": 0.5, "accountability": 0.5, "vault": 0.5, "integrity": 0.5}',
      '{"clan": 0.25, "adhocracy": 0.25, "market": 0.25, "hierarchy": 0.25}', ${app.clock.now()})`);
  expect((await readExplanation()).status).toBe(202);
  const { body } = await generateAndRead();
  expect(body.belonging_breakdown).toEqual({
    authenticity: 'moderate',
    acceptance: 'high',
    complementarity: 'high',
  });
  expect(body.summary_text).toContain('The organisation has the trust that you need to do well.');
});

test('before the member accepts, the organisation reads only about the two traits that the job asks for most', async () => {
  const all = traitCodes.map((code) => [
    code,
    code === 'analytical_depth' || code === 'persistence' ? 1 : 0.9,
  ]);
  await changePriorities(Object.fromEntries(all));
  await remeasureMember(app, member.member_id, 1.6, [
    'persistence',
    'empathic_attunement',
    'social_initiative',
  ]);
  await app.request('POST', `/matches/compute?job_id=${job_id}`, { token: org.token });
  await app.drainQueue();
  match_id = await findMatchId();
  const readTraits = async () => {
    const { body } = await generateAndRead(org.token);
    return [body.top_strengths, body.growth_areas].flat().map((text: string) => text.split(':')[0]);
  };
  const before = await readTraits();
  expect(['Persistence', 'Analytical depth']).toEqual(expect.arrayContaining(before));
  expect(before).toContain('Persistence');
  await setStatus('org_interested');
  expect(await readTraits()).toEqual(before);
  const accepted = { token: member.token, body: { decision: 'accept' } };
  expect((await app.request('POST', `/matches/${match_id}/response`, accepted)).status).toBe(200);
  expect(await readTraits()).toEqual(expect.arrayContaining(['Persistence', 'Empathy']));
});

test('once an organisation has acted on a match, changing the job reveals nothing more about the person', async () => {
  await setStatus('org_interested');
  const before = (await generateAndRead(org.token)).body;
  for (const trait_priorities of [{ sincerity: 1 }, { empathic_attunement: 1 }]) {
    await changePriorities(trait_priorities);
    expect(await readExplanation(org.token)).toMatchObject({ status: 200, body: before });
  }
});

test('an explanation that is first read after the job has changed is about the job as it was', async () => {
  await setStatus('org_interested');
  await changePriorities({ empathic_attunement: 1 });
  const { body } = await generateAndRead(org.token);
  expect(body.summary_text).toContain('this job asks most for persistence.');
});

test('a second culture profile does not measure the same person again', async () => {
  const publishProfile = (version: number, cvf: object) =>
    app.sql.run(sql`
      insert into culture_profiles (org_id, version, questionnaire_version, respondents, braving, cvf, computed_at)
      select ${org.org_id}, coalesce(max(version), 0) + ${version}, 'culture-1', 5,
        '{"boundaries": 0.9, "nonjudgment": 0.9, "generosity": 0.9, "reliability": 0.5, "accountability": 0.5, "vault": 0.5, "integrity": 0.5}',
        ${JSON.stringify(cvf)}, ${app.clock.now()} from culture_profiles where org_id = ${org.org_id}`);
  await publishProfile(1, { clan: 0.7, adhocracy: 0.1, market: 0.1, hierarchy: 0.1 });
  const before = (await generateAndRead(org.token)).body;
  await publishProfile(1, { clan: 0.1, adhocracy: 0.1, market: 0.1, hierarchy: 0.7 });
  expect(await readExplanation(org.token)).toMatchObject({ status: 200, body: before });
});

test('the explanation of a match that has ended does not change', async () => {
  const before = (await generateAndRead()).body;
  await forceMatchStatus(app, match_id, 'org_passed');
  await remeasureMember(app, member.member_id, 1.6);
  expect((await readExplanation()).body).toEqual(before);
});

test('after a withdrawal of consent the explanation cannot be read, and it is deleted when the match is withdrawn', async () => {
  await generateAndRead();
  await forceMatchStatus(app, match_id, 'org_interested');
  await setConsent(false);
  const [asOrg, asMember] = [await readExplanation(org.token), await readExplanation()];
  expect([asOrg.status, asOrg.body.code]).toEqual([403, 'consent_required']);
  expect([asMember.status, asMember.body.code]).toEqual([403, 'engagement_level_too_low']);
  await app.drainQueue();
  const stored = await app.sql.list(sql`select from match_explanations where match_id = ${match_id}`);
  expect(stored).toEqual([]);
  await setConsent(true);
  await app.drainQueue();
  // The member is deployed again, but the withdrawn match stays withdrawn.
  expect((await readExplanation(org.token)).body.code).toBe('consent_required');
  expect((await generateAndRead()).status).toBe(200);
});

test('a task that runs after the withdrawal generates no explanation', async () => {
  await readExplanation(org.token);
  await setConsent(false);
  await app.drainQueue();
  expect(await app.sql.list(sql`select from match_explanations where match_id = ${match_id}`)).toEqual([]);
  await setConsent(true);
  await app.drainQueue();
});

test('the explanation is in the export of the member’s data and is deleted with the match', async () => {
  await generateAndRead();
  const exported = await personalData.exportPersonalData(app.sql, member.member_id, noAccounts);
  const explanations = exported.find(({ name }) => name === 'match_explanations')!;
  expect(explanations.rows.map((row) => row['match_id'])).toContain(match_id);
  await app.sql.run(sql`delete from matches where id = ${match_id}`);
  expect(await app.sql.list(sql`select from match_explanations where match_id = ${match_id}`)).toEqual([]);
});

test('for anyone else the match is not found, like a match that does not exist', async () => {
  const others = [
    await app.registerDeployedMember({ mean: fillMeans(0) }),
    await app.registerOrgAdmin(),
    await app.registerPlatformAdmin(),
  ];
  const before = await countGenerations();
  for (const { token } of others) {
    const { status, body } = await readExplanation(token);
    expect([status, body.code]).toEqual([404, 'match_not_found']);
  }
  expect((await readExplanation(member.token, unknownId)).body.code).toBe('match_not_found');
  expect((await readExplanation(member.token, 'x')).status).toBe(422);
  expect((await readExplanation('')).status).toBe(401);
  expect(await countGenerations()).toBe(before);
});

test('no explanation that an organisation reads contains a number, for random members', async () => {
  proves('match-members-see-tier-labels-only');
  const fillVector = (number: fc.Arbitrary<number>) => fc.array(number, { minLength: 20, maxLength: 20 });
  const [population] = fc.sample(
    fc.array(
      fc.record({
        mean: fillVector(fc.float({ min: -1, max: 3, noNaN: true })),
        variance: fillVector(fc.float({ min: 0, max: 1, noNaN: true })),
      }),
      { minLength: 30, maxLength: 30 },
    ),
    1,
  );
  await insertMembers(app, population!);
  const job = await createJob(app, org.token, { persistence: 0.8, decision_mode: 0.6, fair_dealing: 0.3 });
  await computeWithoutReasons();
  const matches = await listStoredMatches(app, job);
  expect(matches.length).toBeGreaterThan(3);
  for (const { id } of matches) expect((await readExplanation(org.token, id)).status).toBe(202);
  await app.drainQueue();
  for (const { id } of matches) {
    const { status, body } = await readExplanation(org.token, id);
    expect([status, findNumberPaths(body)]).toEqual([200, []]);
  }
});

test.each(['explanation', 'detail-report'])(
  'a computation that deletes the match while its %s is asked for leaves no match to explain',
  async (file) => {
    const path =
      file === 'explanation' ? `/matches/${match_id}/${file}` : `/exports/match/${match_id}/${file}`;
    const asked = await app.sql.transaction(async (tx) => {
      await tx.run(sql`delete from matches where id = ${match_id}`);
      const request = app.request('GET', path, { token: org.token });
      await waitUntilBlocked(app);
      return [request];
    });
    const [reply] = await Promise.all(asked);
    expect([reply!.status, reply!.body.code]).toEqual([404, 'match_not_found']);
  },
);

test('a computation that deletes the match while its explanation is written fails no task', async () => {
  const data = { match_id, member_id: member.member_id, reader_id: org.org_id };
  const started = await app.sql.transaction(async (tx) => {
    await tx.run(sql`delete from matches where id = ${match_id}`);
    const written = runTask(app, generateExplanation, data);
    await waitUntilBlocked(app);
    return [written];
  });
  await Promise.all(started);
  expect(await app.sql.list(sql`select from match_explanations where match_id = ${match_id}`)).toEqual([]);
});
