import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '../harness.ts';
import { fillMeans, findNumberPaths, findStoredMatch, listStoredMatches } from '../modules/matching.ts';
import { proves } from '../requirements.ts';
import type { TestMember, TestOrgUser } from '../users.ts';

const app = await startApp();

/** The steps run in order, and each one depends on those before. */
describe('from a shortlist to a response', () => {
  let org: TestOrgUser;
  let rival: TestOrgUser;
  let ada: TestMember;
  let ben: TestMember;
  let job_id: string;
  const matches = new Map<string, string>();

  const requestAs = ({ token }: { readonly token: string }) => ({
    get: (path: string) => app.request('GET', path, { token }),
    post: (path: string, body: object = {}) => app.request('POST', path, { token, body }),
    put: (path: string, body: object) => app.request('PUT', path, { token, body }),
    patch: (path: string, body: object) => app.request('PATCH', path, { token, body }),
    delete: (path: string) => app.request('DELETE', path, { token }),
  });

  const listMatchEvents = async () =>
    (
      await app.sql.list(
        sql<{ type: string }>`select type from events where type like 'match.%' order by created_at, id`,
      )
    ).map(({ type }) => type);

  const readStatus = async (member: TestMember) =>
    (await requestAs(org).get(`/matches/${matches.get(member.member_id)}`)).body.match_status;

  it('an organisation with a culture profile creates a job', async () => {
    [org, rival] = [await app.registerOrgAdmin({ name: 'Harbour Health' }), await app.registerOrgAdmin()];
    await app.sql.run(sql`
      insert into culture_profiles (org_id, version, questionnaire_version, respondents, braving, cvf, computed_at)
      values (${org.org_id}, 1, 'culture-1', 5,
        '{"boundaries": 0.8, "nonjudgment": 0.8, "generosity": 0.8, "reliability": 0.8, "accountability": 0.8, "vault": 0.8, "integrity": 0.8}',
        '{"clan": 0.4, "adhocracy": 0.2, "market": 0.2, "hierarchy": 0.2}', ${app.clock.now()})`);
    const { status, body } = await requestAs(org).post('/orgs/me/jobs', {
      title: 'Night nurse, ward 7',
      outcome_description: 'Patients sleep safely.',
      trait_priorities: { empathic_attunement: 1, persistence: 0.7 },
      constraints: { education_level_min: 'certificate' },
    });
    expect(status).toBe(201);
    job_id = body.id;
  });

  it('members are matched, and the organisation sees tiers, best first, without any number', async () => {
    [ada, ben] = [
      await app.registerDeployedMember({ mean: fillMeans(1.8, ['empathic_attunement', 'persistence']) }),
      await app.registerDeployedMember({ mean: fillMeans(1.4, ['empathic_attunement', 'persistence']) }),
    ];
    await app.drainQueue();
    for (const path of ['/orgs/me/matches', `/matches/job/${job_id}`, `/orgs/me/jobs/${job_id}/matches`]) {
      const { body } = await requestAs(org).get(path);
      expect(body.pagination.total_count).toBe(2);
      expect(findNumberPaths(body)).toEqual([]);
      const ids = body.data.map(({ member_id }: { member_id: string }) => member_id);
      expect(ids).not.toContain(ada.member_id);
      for (const { id, member_id } of await listStoredMatches(app, job_id)) matches.set(member_id, id);
      expect(body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(
        [...matches.values()].toSorted(),
      );
    }
    expect((await requestAs(rival).get('/orgs/me/matches')).body.data).toEqual([]);
    expect(await listMatchEvents()).toEqual([]);
  });

  it('the organisation reads an explanation that names the job’s traits and describes belonging', async () => {
    proves('match-explanation-fields', 'match-explanation-202-while-generated');
    const path = `/matches/${matches.get(ada.member_id)}/explanation`;
    // The reasons of the first people are written before anyone looks.
    expect((await requestAs(org).get(path)).status).toBe(200);
    await app.sql.run(sql`delete from match_explanations`);
    expect((await requestAs(org).get(path)).status).toBe(202);
    await app.drainQueue();
    const { status, body } = await requestAs(org).get(path);
    expect(status).toBe(200);
    expect(body.top_strengths.join()).toMatch(/^Empathy: .*Persistence: /);
    expect(body.belonging_breakdown.acceptance).toBe('high');
    const { match_id: _id, ...words } = body;
    expect(JSON.stringify(words)).not.toMatch(/\d/);
    const { top_strengths, ...asMember } = (await requestAs(ada).get(path)).body;
    expect(top_strengths[0]).toContain(': you ');
    expect(asMember.belonging_breakdown).toEqual(body.belonging_breakdown);
    expect((await requestAs(rival).get(path)).status).toBe(404);
  });

  it('the organisation is interested in both members; one accepts and one declines', async () => {
    for (const member of [ada, ben]) {
      app.clock.advance(1_000);
      const id = matches.get(member.member_id);
      expect((await requestAs(member).post(`/matches/${id}/response`, { decision: 'accept' })).status).toBe(
        409,
      );
      expect((await requestAs(org).put(`/matches/${id}/status`, { status: 'org_interested' })).status).toBe(
        200,
      );
    }
    const list = await requestAs(ada).get('/members/me/matches?status=org_interested');
    expect(list.body.data).toMatchObject([{ job_title: 'Night nurse, ward 7', org_name: 'Harbour Health' }]);
    app.clock.advance(1_000);
    const adaPath = `/matches/${matches.get(ada.member_id)}/response`;
    const benPath = `/matches/${matches.get(ben.member_id)}/response`;
    expect((await requestAs(ben).post(adaPath, { decision: 'decline' })).status).toBe(404);
    expect((await requestAs(ada).post(adaPath, { decision: 'accept' })).body.match_status).toBe(
      'member_accepted',
    );
    app.clock.advance(1_000);
    expect((await requestAs(ben).post(benPath, { decision: 'decline' })).body.match_status).toBe(
      'member_declined',
    );
    expect(await listMatchEvents()).toEqual([
      'match.proposed',
      'match.proposed',
      'match.accepted',
      'match.declined',
    ]);
  });

  it('when the requirements of the job change, its matches are computed again, and a declined match stays declined', async () => {
    app.clock.advance(1_000);
    const { status } = await requestAs(org).patch(`/orgs/me/jobs/${job_id}`, {
      trait_priorities: { discretion: 1 },
      constraints: {},
    });
    expect(status).toBe(200);
    await app.drainQueue();
    expect([await readStatus(ada), await readStatus(ben)]).toEqual(['member_accepted', 'member_declined']);
    const { body } = await requestAs(org).get(`/matches/${matches.get(ada.member_id)}`);
    // What is known about Ada does not change with the job. The organisation knows who she is since she accepted.
    expect([body.member_id, body.computed_at]).toEqual([ada.member_id, '2026-03-02T00:00:00.000Z']);
  });

  it('when the job is closed, open matches expire, decided matches do not change, and the record is kept', async () => {
    app.clock.advance(1_000);
    expect((await requestAs(org).delete(`/orgs/me/jobs/${job_id}`)).status).toBe(204);
    await app.drainQueue();
    expect([await readStatus(ada), await readStatus(ben)]).toEqual(['expired', 'member_declined']);
    expect((await requestAs(org).get(`/orgs/me/jobs/${job_id}`)).body.status).toBe('closed');
    for (const path of [`/orgs/me/jobs/${job_id}/recompute-matches`, `/matches/compute?job_id=${job_id}`])
      expect((await app.request('POST', path, { token: org.token })).body.code).toBe('job_closed');
  });
});

describe('with concurrent requests', () => {
  it('of two contradictory decisions the pass stands, and an interest that was announced is withdrawn', async () => {
    const [org, member] = [
      await app.registerOrgAdmin(),
      await app.registerDeployedMember({ mean: fillMeans(1.8) }),
    ];
    await app.drainQueue();
    for (let round = 0; round < 5; round++) {
      const job = await app.request('POST', '/orgs/me/jobs', {
        token: org.token,
        body: { title: 'Clerk', outcome_description: 'Done.', trait_priorities: { persistence: 1 } },
      });
      await app.drainQueue();
      const { id } = await findStoredMatch(app, job.body.id, member.member_id);
      const putStatus = (status: string) =>
        app.request('PUT', `/matches/${id}/status`, { token: org.token, body: { status } });
      const replies = await Promise.all([
        putStatus('org_interested'),
        putStatus('org_passed'),
        putStatus('org_interested'),
      ]);
      // Whatever the order, the pass stands: an interest after it is refused, and one before it is withdrawn.
      const [first, pass, second] = replies.map(({ status }) => status);
      expect([first, second].every((status) => status === 200 || status === 409)).toBe(true);
      expect([pass, (await findStoredMatch(app, job.body.id, member.member_id)).match_status]).toEqual([
        200,
        'org_passed',
      ]);
      const events = await app.sql.list(
        sql<{ type: string }>`select type from events where data->>'match_id' = ${id} order by type`,
      );
      const isWithdrawn = first === 200 || second === 200;
      expect(events.map(({ type }) => type)).toEqual(
        isWithdrawn ? ['match.interest_withdrawn', 'match.proposed'] : [],
      );
    }
  });

  it('a job that is closed while its organisation decides has no open match afterwards', async () => {
    const [org, member] = [
      await app.registerOrgAdmin(),
      await app.registerDeployedMember({ mean: fillMeans(1.8) }),
    ];
    await app.drainQueue();
    for (let round = 0; round < 5; round++) {
      const job = await app.request('POST', '/orgs/me/jobs', {
        token: org.token,
        body: { title: 'Clerk', outcome_description: 'Done.', trait_priorities: { persistence: 1 } },
      });
      await app.drainQueue();
      const path = `/orgs/me/jobs/${job.body.id}`;
      const { id } = await findStoredMatch(app, job.body.id, member.member_id);
      const [reply] = await Promise.all([
        app.request('PUT', `/matches/${id}/status`, { token: org.token, body: { status: 'org_interested' } }),
        app.request('POST', `${path}/recompute-matches`, { token: org.token, body: {} }),
        app.request('DELETE', path, { token: org.token }),
      ]);
      expect([200, 409]).toContain(reply.status);
      await app.drainQueue();
      const open = await app.sql.list(sql`
        select id from matches where job_id = ${job.body.id}
          and match_status in ('pending_review', 'org_interested', 'member_accepted')`);
      expect(open).toEqual([]);
    }
  });
});
