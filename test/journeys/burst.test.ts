import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createJob } from '#test/modules/matching.ts';

const password = 'Correct-Horse-7-Battery';

test('the matches of many new jobs and the mails of many registrations do not wait for polls', async () => {
  const app = await startApp();
  const { token } = await app.registerOrgAdmin();
  await app.platform.queue.startWorkers(app.platform);
  const started = performance.now();
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
  await expect.poll(countMatched, { timeout: 20_000, interval: 20 }).toEqual({ count: 12 });
  const countMails = async () => (await app.readMails()).filter(({ to }) => to.includes('burst')).length;
  await expect.poll(countMails, { timeout: 20_000, interval: 20 }).toBe(12);
  // Workers that start one task after each poll, every five seconds, would need a minute.
  expect(performance.now() - started).toBeLessThan(10_000);
});
