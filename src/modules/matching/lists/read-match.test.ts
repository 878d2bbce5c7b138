import { beforeAll, expect, test } from 'vitest';
import { nobodys, startApp, type TestApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { all, createdJob, numbersIn, storedMatches, tierMeans } from '#test/modules/matching.ts';

let app: TestApp;
let org: Awaited<ReturnType<TestApp['orgAdmin']>>;
let member: Awaited<ReturnType<TestApp['member']>>;
let match_id: string;
let job_id: string;
beforeAll(async () => {
  app = await startApp();
  org = await app.orgAdmin();
  member = await app.deployedMember({ mean: all(tierMeans.strong) });
  job_id = await createdJob(app, org.token);
  await app.drain();
  match_id = (await storedMatches(app, job_id))[0]!.id;
});

const read = (token: string, id = match_id) => app.request('GET', `/matches/${id}`, { token });

test('the member and the organisation of a match read it, in the same words', async () => {
  proves('match-get-endpoint-jwt', 'match-record-fields', 'match-quality-value-strong');
  const [asMember, asOrg] = [await read(member.token), await read(org.token)];
  expect([asMember.status, asMember.body]).toEqual([
    200,
    {
      id: match_id,
      member_id: member.member_id,
      job_id,
      org_id: org.org_id,
      match_quality: 'strong',
      match_status: 'pending_review',
      computed_at: app.clock.now().toISOString(),
    },
  ]);
  expect(asOrg.body).toEqual(asMember.body);
});

test('it holds no number', async () => {
  proves('match-members-see-tier-labels-only');
  expect(numbersIn((await read(member.token)).body)).toEqual([]);
});

test('to everybody else it is as absent as one that nobody has', async () => {
  proves('match-get-only-own-member-or-organisation');
  const others = [
    await app.deployedMember({ mean: all(2) }),
    await app.orgAdmin(),
    await app.platformAdmin(),
  ];
  await app.drain();
  for (const { token } of others) {
    const { status, body } = await read(token);
    expect([status, body.code]).toEqual([404, 'match_not_found']);
  }
  const absent = await read(member.token, nobodys);
  expect([absent.status, absent.body.code]).toEqual([404, 'match_not_found']);
});

test('an id that is no UUID is refused by name, and a stranger signs in first', async () => {
  const { status, body } = await read(member.token, 'x');
  expect([status, body.errors[0].pointer]).toEqual([422, '/match_id']);
  expect((await app.request('GET', `/matches/${match_id}`)).status).toBe(401);
});
