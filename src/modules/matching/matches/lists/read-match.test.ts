import { expect, test } from 'vitest';
import { unknownId, startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import {
  fillMeans,
  createJob,
  findNumberPaths,
  listStoredMatches,
  tierMeans,
} from '#test/modules/matching.ts';

const app = await startApp();
const org = await app.registerOrgAdmin();
const member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
const job_id = await createJob(app, org.token);
await app.drainQueue();
const match_id: string = (await listStoredMatches(app, job_id))[0]!.id;

const readMatch = (token: string, id = match_id) => app.request('GET', `/matches/${id}`, { token });

test('the member and the organisation of a match read the same resource, the organisation with an alias and a date', async () => {
  proves('match-get-endpoint-jwt', 'match-record-fields', 'match-quality-value-strong');
  const [asMember, asOrg] = [await readMatch(member.token), await readMatch(org.token)];
  expect([asMember.status, asMember.body]).toEqual([
    200,
    {
      id: match_id,
      member_id: member.member_id,
      member_name: null,
      job_id,
      org_id: org.org_id,
      match_quality: 'strong',
      match_status: 'pending_review',
      provisional: false,
      computed_at: app.clock.now().toISOString(),
    },
  ]);
  expect(asOrg.body).toEqual({
    ...asMember.body,
    member_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    computed_at: '2026-03-02T00:00:00.000Z',
  });
  expect(asOrg.body.member_id).not.toBe(member.member_id);
});

test('a match contains no number', async () => {
  proves('match-members-see-tier-labels-only');
  expect(findNumberPaths((await readMatch(member.token)).body)).toEqual([]);
});

test('for anyone else the match is not found, like a match that does not exist', async () => {
  proves('match-get-only-own-member-or-organisation');
  const others = [
    await app.registerDeployedMember({ mean: fillMeans(2) }),
    await app.registerOrgAdmin(),
    await app.registerPlatformAdmin(),
  ];
  await app.drainQueue();
  for (const { token } of others) {
    const { status, body } = await readMatch(token);
    expect([status, body.code]).toEqual([404, 'match_not_found']);
  }
  const unknown = await readMatch(member.token, unknownId);
  expect([unknown.status, unknown.body.code]).toEqual([404, 'match_not_found']);
});

test('rejects an id that is not a UUID, and anonymous callers', async () => {
  const { status, body } = await readMatch(member.token, 'x');
  expect([status, body.errors[0].pointer]).toEqual([422, '/match_id']);
  expect((await app.request('GET', `/matches/${match_id}`)).status).toBe(401);
});
