import { beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { cloneDatabase, startApp } from '#test/harness.ts';
import {
  cancelYear,
  openSandbox,
  readSandbox,
  startYear,
  type OpenedSandbox,
} from '../../../../../test/modules/sandbox-years.ts';

const sandbox = {
  TESSERA_SANDBOX: 'on',
  TESSERA_RATE_LIMITS: 'off',
  TESSERA_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
};
const database = await cloneDatabase();
let opened: OpenedSandbox;
beforeAll(async () => {
  opened = await openSandbox(await startApp(sandbox, database));
});

async function waitForActs(each: OpenedSandbox, acts: number): Promise<void> {
  await expect
    .poll(async () => (await readSandbox(each)).year.acts_done, { timeout: 300_000, interval: 50 })
    .toBeGreaterThan(acts);
}

test('what is not being played cannot be cancelled, by nobody and in no real service', async () => {
  const { app } = opened;
  const { status, body } = await cancelYear(opened);
  expect([status, body.code]).toEqual([409, 'year_not_running']);
  const { token } = await app.registerMember();
  expect((await cancelYear(opened, token)).body.code).toBe('role_not_allowed');
  expect((await app.request('DELETE', '/sandbox/year')).status).toBe(401);
  const real = await startApp();
  const administrator = await real.registerOrgAdmin();
  expect((await cancelYear({ app: real, key: administrator.token })).body.code).toBe('sandbox_not_found');
});

test('a process that ends amid a year goes on with it, no act is played twice, and a cancelled year stays as it is', async () => {
  expect((await startYear(opened)).status).toBe(202);
  await waitForActs(opened, 30);
  const { token } = await opened.app.registerOrgAdmin();
  expect((await cancelYear(opened, token)).body.code).toBe('year_not_running');
  await opened.app.close();
  const app = await startApp(sandbox, database);
  app.clock.set(new Date());
  await app.platform.queue.startWorkers(app.platform);
  const again = { app, key: opened.key };
  const { acts_done } = (await readSandbox(again)).year;
  await waitForActs(again, acts_done + 200);
  expect((await cancelYear(again)).status).toBe(204);
  const cancelled = (await readSandbox(again)).year;
  expect(cancelled.status).toBe('cancelled');
  // The next year takes its turn after the run of the cancelled one has ended.
  expect((await startYear(again, { seed: 8 })).status).toBe(202);
  await waitForActs(again, 0);
  expect((await cancelYear(again)).status).toBe(204);
  const jobs = await app.sql.list(sql<{ external_ref: string }>`
    select external_ref from jobs where external_ref like 'year-7-%'`);
  expect(new Set(jobs.map(({ external_ref }) => external_ref)).size).toBe(jobs.length);
}, 600_000);

test('a year whose task has failed for good is shown as failed, and the clock and another year go on', async () => {
  const each = await openSandbox(await startApp(sandbox));
  const { app, key } = each;
  await app.sql.run(sql`
    create function fail_act() returns trigger language plpgsql as $$ begin raise 'no job opens'; end $$`);
  await app.sql.run(
    sql`create trigger broken before insert on jobs for each row execute function fail_act()`,
  );
  expect((await startYear(each)).status).toBe(202);
  // The attempts are further apart than a test waits.
  const advanceRetries = async () => {
    await app.sql.run(sql`
      update tasks set due_at = now() - interval '1 day' where name = 'sandbox.moveClock' and status = 'queued'`);
    return (await readSandbox(each)).year.status;
  };
  await expect.poll(advanceRetries, { timeout: 300_000, interval: 200 }).toBe('failed');
  const advance = await app.request('POST', '/sandbox/clock', {
    token: key,
    body: { advance_seconds: 60 },
  });
  const readAdvance = () => app.request('GET', `/tasks/${advance.body.task_id}`, { token: key });
  await expect.poll(async () => (await readAdvance()).body.status, { timeout: 60_000 }).toBe('succeeded');
  await app.sql.run(sql`drop trigger broken on jobs`);
  expect((await startYear(each, { seed: 8 })).status).toBe(202);
  await waitForActs(each, 0);
  expect((await cancelYear(each)).status).toBe(204);
  expect((await readSandbox(each)).year).toMatchObject({ seed: 8, status: 'cancelled' });
}, 600_000);
