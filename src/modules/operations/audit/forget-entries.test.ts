import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { runTask } from '#test/modules/matching.ts';
import { forgetEntries } from './forget-entries.ts';

const app = await startApp({ TESSERA_AUDIT_DAYS: '400' });

const day_ms = 24 * 3_600_000;

async function insertEntries(created_at: Date, count = 1): Promise<string> {
  const action = `test.entry_${randomUUID().replaceAll(/[^a-z]/g, '')}`;
  await app.sql.run(sql`
    insert into audit_log (id, action, detail, created_at)
    select gen_random_uuid(), ${action}, '{}', ${created_at} from generate_series(1, ${count})`);
  return action;
}

async function countEntries(action: string): Promise<number> {
  return (await app.sql.list(sql`select from audit_log where action = ${action}`)).length;
}

test('entries are deleted after the days that the operator has chosen, however many there are', async () => {
  const horizon = app.clock.now().getTime() - 400 * day_ms;
  const old = await insertEntries(new Date(horizon - 1), 5_001);
  const recent = await insertEntries(new Date(horizon));
  await runTask(app, forgetEntries, {});
  expect([await countEntries(old), await countEntries(recent)]).toEqual([0, 1]);
});

test('the database refuses to delete entries of the last 184 days, by its own clock', async () => {
  const now = Date.now();
  const young = await insertEntries(new Date(now - 183 * day_ms));
  const forget = (horizon: Date) => app.sql.run(sql`select forget_audit(${horizon}, 10)`);
  await expect(forget(new Date(now))).rejects.toMatchObject({ code: '23000' });
  expect(await countEntries(young)).toBe(1);
});

test('the database refuses to delete entries in any other way, however old they are', async () => {
  const old = await insertEntries(new Date('2001-01-01T00:00:00Z'));
  const deletion = sql`delete from audit_log where action = ${old}`;
  await expect(app.sql.run(deletion)).rejects.toMatchObject({ code: '23000' });
  const afterForgetting = app.sql.transaction(async (tx) => {
    await tx.run(sql`select forget_audit('2000-01-01', 10)`);
    await tx.run(deletion);
  });
  await expect(afterForgetting).rejects.toMatchObject({ code: '23000' });
  expect(await countEntries(old)).toBe(1);
});

test('runs every hour', () => {
  expect(forgetEntries.every).toBe('11 * * * *');
});
