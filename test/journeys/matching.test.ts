import { beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../harness.ts';
import type { TestMember, TestOrgUser } from '../users.ts';
import { proves } from '../requirements.ts';
import { sql } from '#platform/database/database.ts';
import { fillSlots, findNumberPaths } from '../modules/matching.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});

/** One story in order: each step stands on the ones before. */
describe('from a shortlist to an answer: words alone, both sides deciding, and an end for every match', () => {
  let org: TestOrgUser;
  let rival: TestOrgUser;
  let ada: TestMember;
  let ben: TestMember;
  let job_id: string;
  const matches = new Map<string, string>();

  const ask = ({ token }: { readonly token: string }) => ({
    get: (at: string) => app.request('GET', at, { token }),
    post: (at: string, body: object = {}) => app.request('POST', at, { token, body }),
    put: (at: string, body: object) => app.request('PUT', at, { token, body }),
    patch: (at: string, body: object) => app.request('PATCH', at, { token, body }),
    delete: (at: string) => app.request('DELETE', at, { token }),
  });

  const told = async () =>
    (
      await app.sql.list(
        sql<{ type: string }>`select type from events where type like 'match.%' order by created_at, id`,
      )
    ).map(({ type }) => type);

  const statusOf = async (person: TestMember) =>
    (await ask(org).get(`/matches/${matches.get(person.member_id)}`)).body.match_status;

  it('an organisation whose people have described its culture posts a job', async () => {
    [org, rival] = [await app.registerOrgAdmin({ name: 'Harbour Health' }), await app.registerOrgAdmin()];
    await app.sql.run(sql`
      insert into culture_profiles (org_id, version, questionnaire_version, respondents, braving, cvf, computed_at)
      values (${org.org_id}, 1, 'culture-1', 5,
        '{"boundaries": 0.8, "nonjudgment": 0.8, "generosity": 0.8, "reliability": 0.8, "accountability": 0.8, "vault": 0.8, "integrity": 0.8}',
        '{"clan": 0.4, "adhocracy": 0.2, "market": 0.2, "hierarchy": 0.2}', ${app.clock.now()})`);
    const { status, body } = await ask(org).post('/orgs/me/jobs', {
      title: 'Night nurse, ward 7',
      outcome_description: 'Patients sleep safely.',
      trait_priorities: { empathic_attunement: 1, persistence: 0.7 },
      constraints: { education_level_min: 'certificate' },
    });
    expect(status).toBe(201);
    job_id = body.id;
  });

  it('members are matched, and the organisation sees tiers, best first, and not one number', async () => {
    [ada, ben] = [
      await app.registerDeployedMember({ mean: fillSlots(1.8) }),
      await app.registerDeployedMember({ mean: fillSlots(1.4) }),
    ];
    await app.drainQueue();
    for (const at of ['/orgs/me/matches', `/matches/job/${job_id}`, `/orgs/me/jobs/${job_id}/matches`]) {
      const { body } = await ask(org).get(at);
      expect(body.pagination.total_count).toBe(2);
      expect(findNumberPaths(body)).toEqual([]);
      for (const { id, member_id } of body.data) matches.set(member_id, id);
    }
    expect((await ask(rival).get('/orgs/me/matches')).body.data).toEqual([]);
    expect(await told()).toEqual([]);
  });

  it('the organisation reads why, in words that name the job’s traits and how it would be to work there', async () => {
    proves('match-explanation-fields', 'match-explanation-202-while-generated');
    const at = `/matches/${matches.get(ada.member_id)}/explanation`;
    expect((await ask(org).get(at)).status).toBe(202);
    await app.drainQueue();
    const { status, body } = await ask(org).get(at);
    expect(status).toBe(200);
    expect(body.top_strengths.join()).toMatch(/^Empathic attunement: .*Persistence: /);
    expect(body.belonging_breakdown.acceptance).toBe('high');
    const { match_id: _id, ...words } = body;
    expect(JSON.stringify(words)).not.toMatch(/\d/);
    expect((await ask(ada).get(at)).body).toEqual(body);
    expect((await ask(rival).get(at)).status).toBe(404);
  });

  it('the organisation is interested in both; one accepts, one declines, each once', async () => {
    for (const person of [ada, ben]) {
      app.clock.advance(1_000);
      const id = matches.get(person.member_id);
      expect((await ask(person).post(`/matches/${id}/response`, { decision: 'accept' })).status).toBe(409);
      expect((await ask(org).put(`/matches/${id}/status`, { status: 'org_interested' })).status).toBe(200);
    }
    const mine = await ask(ada).get('/members/me/matches?status=org_interested');
    expect(mine.body.data).toMatchObject([{ job_title: 'Night nurse, ward 7', org_name: 'Harbour Health' }]);
    app.clock.advance(1_000);
    const adas = `/matches/${matches.get(ada.member_id)}/response`;
    const bens = `/matches/${matches.get(ben.member_id)}/response`;
    expect((await ask(ben).post(adas, { decision: 'decline' })).status).toBe(404);
    expect((await ask(ada).post(adas, { decision: 'accept' })).body.match_status).toBe('member_accepted');
    app.clock.advance(1_000);
    expect((await ask(ben).post(bens, { decision: 'decline' })).body.match_status).toBe('member_declined');
    expect(await told()).toEqual(['match.proposed', 'match.proposed', 'match.accepted', 'match.declined']);
  });

  it('the job changes what it asks for: it is computed anew, and nobody who declined comes back', async () => {
    app.clock.advance(1_000);
    const { status } = await ask(org).patch(`/orgs/me/jobs/${job_id}`, {
      trait_priorities: { discretion: 1 },
      constraints: {},
    });
    expect(status).toBe(200);
    await app.drainQueue();
    expect([await statusOf(ada), await statusOf(ben)]).toEqual(['member_accepted', 'member_declined']);
    const { body } = await ask(org).get(`/matches/${matches.get(ada.member_id)}`);
    expect(body.computed_at).toBe(app.clock.now().toISOString());
  });

  it('the job closes: what was open expires, what was decided stays, and the record is kept', async () => {
    app.clock.advance(1_000);
    expect((await ask(org).delete(`/orgs/me/jobs/${job_id}`)).status).toBe(204);
    await app.drainQueue();
    expect([await statusOf(ada), await statusOf(ben)]).toEqual(['expired', 'member_declined']);
    expect((await ask(org).get(`/orgs/me/jobs/${job_id}`)).body.status).toBe('closed');
    for (const at of [`/orgs/me/jobs/${job_id}/recompute-matches`, `/matches/compute?job_id=${job_id}`])
      expect((await app.request('POST', at, { token: org.token })).body.code).toBe('job_closed');
  });
});

describe('when two decide at the same moment', () => {
  it('one of two contrary answers counts, and is told once', async () => {
    const [org, member] = [
      await app.registerOrgAdmin(),
      await app.registerDeployedMember({ mean: fillSlots(1.8) }),
    ];
    await app.drainQueue();
    for (let round = 0; round < 5; round++) {
      const job = await app.request('POST', '/orgs/me/jobs', {
        token: org.token,
        body: { title: 'Clerk', outcome_description: 'Done.', trait_priorities: { persistence: 1 } },
      });
      await app.drainQueue();
      const { body } = await app.request('GET', `/orgs/me/jobs/${job.body.id}/matches?limit=100`, org);
      const { id } = body.data.find((match: { member_id: string }) => match.member_id === member.member_id);
      const put = (status: string) =>
        app.request('PUT', `/matches/${id}/status`, { token: org.token, body: { status } });
      const looked = await Promise.all([put('org_interested'), put('org_passed'), put('org_interested')]);
      const passed = looked[1].status === 200;
      expect(looked.map(({ status }) => status)).toEqual(passed ? [409, 200, 409] : [200, 409, 200]);
      const told = await app.sql.list(sql`select type from events where data->>'match_id' = ${id}`);
      expect(told).toEqual(passed ? [] : [{ type: 'match.proposed' }]);
    }
  });

  it('a job closes while its organisation decides: no match is left open', async () => {
    const [org, member] = [
      await app.registerOrgAdmin(),
      await app.registerDeployedMember({ mean: fillSlots(1.8) }),
    ];
    await app.drainQueue();
    for (let round = 0; round < 5; round++) {
      const job = await app.request('POST', '/orgs/me/jobs', {
        token: org.token,
        body: { title: 'Clerk', outcome_description: 'Done.', trait_priorities: { persistence: 1 } },
      });
      await app.drainQueue();
      const at = `/orgs/me/jobs/${job.body.id}`;
      const { body } = await app.request('GET', `${at}/matches?limit=100`, org);
      const { id } = body.data.find((match: { member_id: string }) => match.member_id === member.member_id);
      const [decided] = await Promise.all([
        app.request('PUT', `/matches/${id}/status`, { token: org.token, body: { status: 'org_interested' } }),
        app.request('POST', `${at}/recompute-matches`, { token: org.token, body: {} }),
        app.request('DELETE', at, { token: org.token }),
      ]);
      expect([200, 409]).toContain(decided.status);
      await app.drainQueue();
      const open = await app.sql.list(sql`
        select id from matches where job_id = ${job.body.id}
          and match_status in ('pending_review', 'org_interested', 'member_accepted')`);
      expect(open).toEqual([]);
    }
  });
});
