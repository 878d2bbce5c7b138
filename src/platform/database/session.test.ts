import { beforeAll, expect, test } from 'vitest';
import { cleanUpAfterFile } from '#test/clean-up.ts';
import { cloneDatabase, startApp } from '#test/harness.ts';
import type { TestPostgres } from '#test/global-setup.ts';
import { openClient } from './connections.ts';
import { isOwnSession } from './session.ts';
import { sql } from './database.ts';

const app = await startApp();
let settings: TestPostgres;
beforeAll(async () => {
  settings = await cloneDatabase();
});

test('a session that another client has set up is not its own', async () => {
  const client = await openClient(settings);
  cleanUpAfterFile(() => client.end());
  expect(await isOwnSession(client)).toBe(true);
  await client.query("select set_config('tessera.session', 'of another client', false)");
  expect(await isOwnSession(client)).toBe(false);
  await client.query('discard all');
  expect(await isOwnSession(client)).toBe(false);
});

test('limits that a database sets for its sessions do not count', async () => {
  const owner = await openClient(settings);
  const { database } = settings;
  await owner.query(`alter database ${database} set statement_timeout = '1234ms'`);
  const client = await openClient({ ...settings, lock_timeout: 2_345 });
  cleanUpAfterFile(() => Promise.all([owner.end(), client.end()]));
  const readLimits = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`;
  expect((await client.query(readLimits)).rows).toEqual([{ statement: '0', lock: '2345ms' }]);
});

test('a server whose tables are missing or forbidden is not up', async () => {
  const readReadiness = async () => {
    const { statusCode, body } = await app.internalServer.inject('/health/ready');
    return [statusCode, (JSON.parse(body) as { database: string }).database];
  };
  expect(await readReadiness()).toEqual([200, 'up']);
  const user = app.platform.database.settings.user!;
  await app.sql.run({ ...sql`revoke select on users from public`, text: `revoke all on users from ${user}` });
  expect(await readReadiness()).toEqual([503, 'unusable']);
  await app.sql.run({ ...sql`grant select on users to public`, text: `grant all on users to ${user}` });
  expect(await readReadiness()).toEqual([200, 'up']);
  await app.sql.run(sql`alter table migrations rename to elsewhere`);
  expect(await readReadiness()).toEqual([503, 'unusable']);
  await app.sql.run(sql`alter table elsewhere rename to migrations`);
  expect(await readReadiness()).toEqual([200, 'up']);
});
