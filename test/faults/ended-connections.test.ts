import { expect, test } from 'vitest';
import { isUnavailable, openDatabase, sql, type Database } from '#platform/database/database.ts';
import { migrateDatabase } from '#platform/database/migrate.ts';
import { openProbe } from '#platform/database/probe.ts';
import { prepareRoles } from '#platform/database/roles.ts';
import { cleanUpAfterFile } from '../clean-up.ts';
import { openAnnouncements } from '#platform/queue/announcements.ts';
import { startDyingServer, type DyingServer } from './dying-server.ts';

const isLost = (error: unknown) => isUnavailable((error as { cause?: unknown }).cause ?? error);

const one = sql<{ one: number }>`select 1 as one`;

async function readAll(items: AsyncIterable<unknown>): Promise<void> {
  for await (const item of items) expect(item).toBeDefined();
}

/** Uses a database until it fails. */
const uses: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
  statement: (database) => database.run(one),
  transaction: (database) => database.transaction((tx) => tx.run(one)),
  'transactions that wait for one connection': (database) =>
    Promise.all([1, 2, 3].map(() => database.transaction((tx) => tx.run(one)))),
  'statements sent ahead': (database) =>
    database.transaction(async (tx) => {
      void tx.runAhead(one);
      void tx.runAhead(one);
    }),
  snapshot: (database) =>
    readAll(
      database.readSnapshot(async function* (db) {
        yield await db.list(one);
      }),
    ),
  'statement outside the pool': (database) => database.listOutsidePool(one),
};

/** The ways in which the service connects to the database apart from its pool. */
const connectors: Readonly<Record<string, (settings: DyingServer['settings']) => Promise<unknown>>> = {
  migrations: (settings) => migrateDatabase(settings),
  roles: (settings) => prepareRoles(settings),
  probe: async (settings) => {
    const probe = openProbe(settings);
    const state = await probe.readState();
    await probe.close();
    if (state === 'down') throw Object.assign(new Error('down'), { code: '57P01' });
  },
};

// Errors that nobody listens to: each would end the process.
const unheard: Error[] = [];
const recordError = (error: Error) => void unheard.push(error);
process.on('uncaughtExceptionMonitor', recordError);
cleanUpAfterFile(() => process.off('uncaughtExceptionMonitor', recordError));

test.each(Object.entries(uses))(
  'a connection that is ended right behind any reply ends no process: %s',
  async (_, use) => {
    const errors: unknown[] = [];
    for (let replies = 1; replies <= 6; replies++) {
      const { settings } = await startDyingServer(replies);
      const database = openDatabase({ ...settings, max: 1 }, () => undefined);
      for (let attempt = 0; attempt < 3; attempt++)
        await use(database).catch((error: unknown) => errors.push(error));
      await database.close();
    }
    expect(errors.some(isLost)).toBe(true);
    expect(unheard).toEqual([]);
  },
);

test.each(Object.entries(connectors))(
  'a connection that is ended right behind any reply ends no process: %s',
  async (_, connect) => {
    const errors: unknown[] = [];
    for (let replies = 1; replies <= 6; replies++) {
      const { settings } = await startDyingServer(replies);
      await connect(settings).catch((error: unknown) => errors.push(error));
    }
    expect(errors.some(isLost)).toBe(true);
    expect(unheard).toEqual([]);
  },
);

test('a listener whose connection is ended ends no process', async () => {
  for (let replies = 1; replies <= 3; replies++) {
    const { settings } = await startDyingServer(replies);
    const database = openDatabase(settings, () => undefined);
    const announcements = openAnnouncements(database);
    await announcements.listen(() => undefined);
    await announcements.close();
    await database.close();
  }
  expect(unheard).toEqual([]);
});
