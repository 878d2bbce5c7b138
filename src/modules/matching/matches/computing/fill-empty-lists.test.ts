import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import {
  createJob,
  deleteStoredMatches,
  fillMeans,
  fillSlots,
  persistencePriorities,
  runTask,
} from '#test/modules/matching.ts';
import { computeJobMatches } from './compute-job-matches.ts';
import { fillEmptyLists } from './fill-empty-lists.ts';

const app = await startApp();
const org = await app.registerOrgAdmin();

/** Registers a member whom no computation of a job lists, because the fit is below average. */
const registerUnlistedMember = () =>
  app.registerDeployedMember({ mean: fillMeans(-3), variance: fillSlots(0.1) });

async function listTiers(token: string): Promise<readonly string[]> {
  const { body } = await app.request('GET', '/members/me/matches', { token });
  return body.data.map(({ match_tier }: { readonly match_tier: string }) => match_tier);
}

/** Runs the task and what it queues. @returns how many tasks it queued. */
async function runAndDrain(): Promise<number> {
  await runTask(app, fillEmptyLists, {});
  return app.drainQueue();
}

test('a member whose list is empty when a job is added gets it, although its computation lists only its best members', async () => {
  const member = await registerUnlistedMember();
  await app.drainQueue();
  await createJob(app, org.token, persistencePriorities);
  await app.drainQueue();
  expect(await listTiers(member.token)).toEqual([]);
  await runAndDrain();
  expect(await listTiers(member.token)).toEqual(['developing']);
});

test('a list is filled with at most five matches, and not again as long as it has one', async () => {
  const member = await registerUnlistedMember();
  for (let count = 0; count < 6; count++) await createJob(app, org.token, persistencePriorities);
  await app.drainQueue();
  await deleteStoredMatches(app, member.member_id);
  expect(await runAndDrain()).toBe(1);
  expect(await listTiers(member.token)).toEqual(Array(5).fill('developing'));
  expect(await runAndDrain()).toBe(0);
});

test('a list whose matches a computation of their job has deleted is filled again', async () => {
  const job_id = await createJob(app, org.token, persistencePriorities);
  const member = await registerUnlistedMember();
  await app.drainQueue();
  await app.sql.run(sql`delete from matches where member_id = ${member.member_id} and job_id <> ${job_id}`);
  await app.sql.run(
    sql`delete from member_matches where member_id = ${member.member_id} and job_id <> ${job_id}`,
  );
  app.clock.advance(1_000);
  await runTask(app, computeJobMatches, { job_id, org_id: org.org_id });
  const before = await listTiers(member.token);
  await runAndDrain();
  expect([before, (await listTiers(member.token)).length > 0]).toEqual([[], true]);
});

test('nobody is computed in vain: a member for whom there is no compatible job waits for one', async () => {
  const member = await registerUnlistedMember();
  await app.drainQueue();
  const body = { clearance_held: 'none', remote_policies: ['remote'] };
  await app.request('PUT', '/members/me/matching-preferences', { token: member.token, body });
  await app.drainQueue();
  await deleteStoredMatches(app, member.member_id);
  expect(await runAndDrain()).toBe(0);
  expect(await listTiers(member.token)).toEqual([]);
});
