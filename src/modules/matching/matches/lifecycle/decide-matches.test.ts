import { beforeEach, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId } from '#test/harness.ts';
import {
  createJob,
  fillMeans,
  fillSlots,
  insertMembers,
  listStoredMatches,
  tierMeans,
} from '#test/modules/matching.ts';

const app = await startApp();
const org = await app.registerOrgAdmin();
await insertMembers(
  app,
  Array.from({ length: 4 }, () => ({ mean: fillMeans(tierMeans.strong), variance: fillSlots(0.15) })),
);

let job_id: string;
let ids: readonly string[];
beforeEach(async () => {
  job_id = await createJob(app, org.token);
  await app.drainQueue();
  ids = (await listStoredMatches(app, job_id)).map(({ id }) => id).toSorted();
});

const decide = (body: object, token = org.token, job = job_id) =>
  app.request('POST', `/orgs/me/jobs/${job}/decisions`, { ...(token && { token }), body });

const readStatuses = async () => {
  const matches = await listStoredMatches(app, job_id);
  return ids.map((id) => matches.find((each) => each.id === id)!.match_status);
};

const countEvents = (type: string) =>
  app.sql.list(sql`select from events where type = ${type} and data->>'job_id' = ${job_id}`);

test('moves every match that can be moved, and says of the others why not', async () => {
  const [asked, passed, ...others] = ids as [string, string, ...string[]];
  await app.request('PUT', `/matches/${asked}/status`, {
    token: org.token,
    body: { status: 'org_interested' },
  });
  await app.request('PUT', `/matches/${passed}/status`, { token: org.token, body: { status: 'org_passed' } });
  const { status, body } = await decide({ match_ids: ids, status: 'org_interested' });
  expect([status, body]).toEqual([
    200,
    {
      decision_id: null,
      moved: others,
      unchanged: [asked],
      refused: [{ match_id: passed, code: 'match_status_conflict', detail: expect.any(String) }],
    },
  ]);
  expect(await readStatuses()).toEqual(['org_interested', 'org_passed', 'org_interested', 'org_interested']);
  expect(await countEvents('match.proposed')).toHaveLength(3);
});

test('interests that can be undone are announced together, once', async () => {
  const { body } = await decide({ match_ids: ids, status: 'org_interested', undo_seconds: 10 });
  expect(body.moved).toEqual(ids);
  expect(await countEvents('match.proposed')).toHaveLength(0);
  await app.drainQueue();
  await app.drainQueue();
  expect(await countEvents('match.proposed')).toHaveLength(ids.length);
});

test('two colleagues who decide at once both learn what became of each match', async () => {
  const replies = await Promise.all([
    decide({ match_ids: ids, status: 'org_interested', undo_seconds: 10 }),
    decide({ match_ids: ids.toReversed(), status: 'org_passed', undo_seconds: 10 }),
  ]);
  for (const { body } of replies) {
    const refused = body.refused.map((each: { match_id: string }) => each.match_id);
    expect(new Set([...body.moved, ...refused])).toEqual(new Set(ids));
  }
  expect(new Set(await readStatuses())).toEqual(new Set(['org_passed']));
});

test('a colleague with an old list replaces no decision that was made since', async () => {
  const seen_status = 'pending_review';
  const first = await decide({ match_ids: ids, status: 'org_interested', seen_status, undo_seconds: 10 });
  expect(first.body.moved).toEqual(ids);
  const { body } = await decide({ match_ids: ids, status: 'org_passed', seen_status });
  expect([body.moved, body.refused.map((each: { code: string }) => each.code)]).toEqual([
    [],
    ids.map(() => 'match_status_conflict'),
  ]);
  // The same decision is no contradiction, and one that knows the status is no mistake.
  expect((await decide({ match_ids: ids, status: 'org_interested', seen_status })).body.unchanged).toEqual(
    ids,
  );
  const known = await decide({ match_ids: ids, status: 'org_passed', seen_status: 'org_interested' });
  expect(known.body.moved).toEqual(ids);
});

test('of two colleagues who decide at once on what both have seen, one wins and the other learns it', async () => {
  const [match_id] = ids;
  const replies = await Promise.all(
    (['org_interested', 'org_passed'] as const).map((status) =>
      app.request('PUT', `/matches/${match_id}/status`, {
        token: org.token,
        body: { status, seen_status: 'pending_review', undo_seconds: 10 },
      }),
    ),
  );
  expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  const won = replies.find(({ status }) => status === 200)!;
  expect((await readStatuses())[0]).toBe(won.body.match_status);
});

test('rejects decisions about nothing, about too many, twice about one, and of a kind that programs cannot make', async () => {
  const cases = [
    [{ match_ids: [], status: 'org_passed' }, '/match_ids'],
    [
      { match_ids: Array.from({ length: 101 }, () => crypto.randomUUID()), status: 'org_passed' },
      '/match_ids',
    ],
    [{ match_ids: [ids[0], ids[0]], status: 'org_passed' }, '/match_ids'],
    [{ match_ids: ids, status: 'member_accepted' }, '/status'],
    [{ match_ids: ids, status: 'closed' }, '/status'],
    [{ match_ids: ids, status: 'pending_review', undo_seconds: 10 }, '/undo_seconds'],
  ] as const;
  for (const [body, pointer] of cases) {
    const reply = await decide(body);
    expect([body, reply.status, reply.body.errors[0].pointer]).toEqual([body, 422, pointer]);
  }
  expect(new Set(await readStatuses())).toEqual(new Set(['pending_review']));
});

test('matches of another job, another organisation, or none, are not found', async () => {
  const other_job = await createJob(app, org.token);
  await app.drainQueue();
  const { id } = (await listStoredMatches(app, other_job))[0]!;
  const { body } = await decide({ match_ids: [id, unknownId], status: 'org_passed' });
  expect([body.moved, body.refused.map((each: { code: string }) => each.code)]).toEqual([
    [],
    ['match_not_found', 'match_not_found'],
  ]);
  const stranger = await app.registerOrgAdmin();
  for (const job of [job_id, unknownId]) {
    const reply = await decide({ match_ids: ids, status: 'org_passed' }, stranger.token, job);
    expect([reply.status, reply.body.code]).toEqual([404, 'job_not_found']);
  }
  expect(new Set(await readStatuses())).toEqual(new Set(['pending_review']));
});

test('only administrators of the organisation decide', async () => {
  const member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
  const body = { match_ids: ids, status: 'org_passed' };
  expect((await decide(body, member.token)).status).toBe(403);
  expect((await decide(body, '')).status).toBe(401);
});
