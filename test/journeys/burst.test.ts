import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { createJob } from '#test/modules/matching.ts';
import { startWithoutPolls } from '#test/start-without-polls.ts';

const password = 'Correct-Horse-7-Battery';

test('the matches of many new jobs and the emails of many registrations do not wait for polls', async () => {
  const app = await startApp();
  const { token } = await app.registerOrgAdmin();
  await startWithoutPolls(() => app.platform.queue.startWorkers(app.platform));
  await Promise.all([
    ...Array.from({ length: 12 }, () => createJob(app, token)),
    ...Array.from({ length: 12 }, (_, number) =>
      app.request('POST', '/auth/register', {
        body: { email: `burst${number}@example.org`, password, name: 'Member', role: 'member' },
      }),
    ),
  ]);
  const countMatched = () =>
    app.sql.one(sql`select count(*) from jobs where matches_computed_at is not null`);
  await expect.poll(countMatched, { interval: 20 }).toEqual({ count: 12 });
  const countMails = async () => (await app.readMails()).filter(({ to }) => to.includes('burst')).length;
  await expect.poll(countMails, { interval: 20 }).toBe(12);
});

/** Counts the runs of a task that have ended, as the metrics say. */
async function countRuns({ platform }: TestApp, task: string): Promise<number> {
  const text = await platform.metrics.formatText();
  const line = new RegExp(`^tessera_task_runs_total\\{task="${task}",outcome="\\w+"\\} (\\d+)$`, 'gm');
  return [...text.matchAll(line)].reduce((sum, [, count]) => sum + Number(count), 0);
}

test('an organisation with 60 new jobs delays the matches of another by one computation at most', async () => {
  const app = await startApp();
  const busy = await app.registerOrgAdmin();
  const others = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  // Records in which order the computations were stored, in the same transaction.
  await app.sql.transaction(
    async (tx) =>
      void (await tx.client.query(`
        create table computed (place serial, org_id uuid);
        grant all on computed, computed_place_seq to public;
        create function note_computed() returns trigger language plpgsql as
          'begin insert into computed (org_id) values (new.org_id); return new; end';
        create trigger note_computed after update of matches_computed_at on jobs for each row execute function note_computed()`)),
  );
  for (let count = 0; count < 60; count++) await createJob(app, busy.token);
  for (const { token } of others) await createJob(app, token);
  await app.platform.queue.startWorkers(app.platform);
  const listComputed = () =>
    app.sql.list(sql<{ org_id: string; place: number }>`select org_id, place from computed order by place`);
  await expect.poll(async () => (await listComputed()).length, { interval: 20 }).toBe(62);
  const order = await listComputed();
  for (const { org_id } of others) {
    const { place } = order.find((each) => each.org_id === org_id)!;
    const delays = order.filter((each) => each.org_id === busy.org_id && each.place < place);
    expect(delays.length).toBeLessThanOrEqual(1);
  }
});

test('30 requests to compute the matches of one job again are answered by one computation', async () => {
  const app = await startApp();
  const { token } = await app.registerOrgAdmin();
  const job_id = await createJob(app, token);
  await app.drainQueue();
  const task = 'matches.computeJobMatches';
  const before = await countRuns(app, task);
  const requests = Array.from({ length: 30 }, () =>
    app.request('POST', `/orgs/me/jobs/${job_id}/recompute-matches`, { token }),
  );
  const task_ids = (await Promise.all(requests)).map(({ body }) => body.task_id as string);
  expect(new Set(task_ids).size).toBe(30);
  await app.platform.queue.startWorkers(app.platform);
  const readStatuses = async () => {
    const replies = task_ids.map((task_id) => app.request('GET', `/tasks/${task_id}`, { token }));
    return [...new Set((await Promise.all(replies)).map(({ body }) => body.status))];
  };
  await expect.poll(readStatuses, { interval: 50 }).toEqual(['succeeded']);
  expect((await countRuns(app, task)) - before).toBe(1);
});
