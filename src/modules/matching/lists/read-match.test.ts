import { beforeAll, expect, test } from 'vitest';
import { unknownId, startApp, type TestApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import {
  fillSlots,
  createJob,
  findNumberPaths,
  listStoredMatches,
  tierMeans,
} from '#test/modules/matching.ts';

let app: TestApp;
let org: Awaited<ReturnType<TestApp['registerOrgAdmin']>>;
let member: Awaited<ReturnType<TestApp['registerMember']>>;
let match_id: string;
let job_id: string;
beforeAll(async () => {
  app = await startApp();
  org = await app.registerOrgAdmin();
  member = await app.registerDeployedMember({ mean: fillSlots(tierMeans.strong) });
  job_id = await createJob(app, org.token);
  await app.drainQueue();
  match_id = (await listStoredMatches(app, job_id))[0]!.id;
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
  expect(findNumberPaths((await read(member.token)).body)).toEqual([]);
});

test('to everybody else it is as absent as one that nobody has', async () => {
  proves('match-get-only-own-member-or-organisation');
  const others = [
    await app.registerDeployedMember({ mean: fillSlots(2) }),
    await app.registerOrgAdmin(),
    await app.registerPlatformAdmin(),
  ];
  await app.drainQueue();
  for (const { token } of others) {
    const { status, body } = await read(token);
    expect([status, body.code]).toEqual([404, 'match_not_found']);
  }
  const absent = await read(member.token, unknownId);
  expect([absent.status, absent.body.code]).toEqual([404, 'match_not_found']);
});

test('an id that is no UUID is refused by name, and a stranger signs in first', async () => {
  const { status, body } = await read(member.token, 'x');
  expect([status, body.errors[0].pointer]).toEqual([422, '/match_id']);
  expect((await app.request('GET', `/matches/${match_id}`)).status).toBe(401);
});
