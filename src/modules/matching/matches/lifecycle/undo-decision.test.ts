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
  Array.from({ length: 3 }, () => ({ mean: fillMeans(tierMeans.strong), variance: fillSlots(0.15) })),
);

let job_id: string;
let ids: readonly string[];
beforeEach(async () => {
  job_id = await createJob(app, org.token);
  await app.drainQueue();
  ids = (await listStoredMatches(app, job_id)).map(({ id }) => id).toSorted();
});

const decide = async (status: string): Promise<string> => {
  const body = { match_ids: ids, status, undo_seconds: 10 };
  return (await app.request('POST', `/orgs/me/jobs/${job_id}/decisions`, { token: org.token, body })).body
    .decision_id;
};

const takeBack = (decision_id: string, token = org.token, job = job_id) =>
  app.request('POST', `/orgs/me/jobs/${job}/decisions/${decision_id}/undo`, { ...(token && { token }) });

const putStatus = (id: string, status: string) =>
  app.request('PUT', `/matches/${id}/status`, { token: org.token, body: { status } });

const readStatuses = async () => {
  const matches = await listStoredMatches(app, job_id);
  return ids.map((id) => matches.find((each) => each.id === id)!.match_status);
};

const pending = ['pending_review', 'pending_review', 'pending_review'];

test('takes a decision back as a whole; its member is not informed, and a second undo finds nothing', async () => {
  for (const status of ['org_interested', 'org_passed']) {
    const decision_id = await decide(status);
    const undone = await takeBack(decision_id);
    expect([undone.status, undone.body]).toEqual([
      200,
      { decision_id, moved: ids, unchanged: [], refused: [] },
    ]);
    expect(await readStatuses()).toEqual(pending);
    const again = await takeBack(decision_id);
    expect([again.status, again.body.code]).toEqual([404, 'decision_not_found']);
  }
  await app.drainQueue();
  const events = await app.sql.list(sql<{ type: string }>`
    select type from events where type like 'match.%' and data->>'job_id' = ${job_id}`);
  // Of the two decisions, only the pass is one that the organisation's programs may have acted on.
  expect(events.map(({ type }) => type)).toEqual(ids.map(() => 'match.reopened'));
});

test('matches that were moved since stay as they are', async () => {
  const decision_id = await decide('org_passed');
  await putStatus(ids[0]!, 'pending_review');
  await putStatus(ids[0]!, 'org_interested');
  expect((await takeBack(decision_id)).body.moved).toEqual(ids.slice(1));
  expect(await readStatuses()).toEqual(['org_interested', 'pending_review', 'pending_review']);
});

test('interests that were announced are not undone as a whole', async () => {
  const decision_id = await decide('org_interested');
  await app.drainQueue();
  expect((await takeBack(decision_id)).body.code).toBe('decision_not_found');
  expect(await readStatuses()).toEqual(['org_interested', 'org_interested', 'org_interested']);
});

test('a pass of a job that is closed cannot be undone, and says why', async () => {
  const decision_id = await decide('org_passed');
  await app.request('DELETE', `/orgs/me/jobs/${job_id}`, { token: org.token });
  const { body } = await takeBack(decision_id);
  expect([body.moved, body.refused.map((each: { code: string }) => each.code)]).toEqual([
    [],
    ['job_closed', 'job_closed', 'job_closed'],
  ]);
});

test('an undo and the announcement of the same interests agree on who was informed', async () => {
  const decision_id = await decide('org_interested');
  const [undone] = await Promise.all([takeBack(decision_id), app.drainQueue()]);
  const informed = await app.sql.list(
    sql`select from events where type = 'match.proposed' and data->>'job_id' = ${job_id}`,
  );
  expect(informed).toHaveLength(undone.status === 200 ? ids.length - undone.body.moved.length : ids.length);
});

test('a malformed id, an unknown decision and another organisation’s decision are refused', async () => {
  const decision_id = await decide('org_passed');
  const stranger = await app.registerOrgAdmin();
  expect((await takeBack('x')).status).toBe(422);
  expect((await takeBack(unknownId)).body.code).toBe('decision_not_found');
  expect((await takeBack(decision_id, stranger.token)).body.code).toBe('job_not_found');
  expect((await takeBack(decision_id, '')).status).toBe(401);
  const member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
  expect((await takeBack(decision_id, member.token)).status).toBe(403);
  expect(await readStatuses()).toEqual(['org_passed', 'org_passed', 'org_passed']);
});
