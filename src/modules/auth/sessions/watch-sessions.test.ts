import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase, sql } from '#platform/database/database.ts';
import type { TestPostgres } from '#test/global-setup.ts';
import { cloneDatabase, startApp, type TestApp } from '#test/harness.ts';
import { forgetSessions } from './forget-sessions.ts';
import { endedSessions } from './watch-sessions.ts';

/** Two processes of one service. */
let one: TestApp;
let other: TestApp;
const environment = { TESSERA_MASTER_KEY: randomBytes(32).toString('base64') };
let database: TestPostgres;

beforeAll(async () => {
  database = await cloneDatabase();
  one = await startApp(environment, database);
  other = await startApp(environment, database);
});

beforeEach(() => other.clock.set(one.clock.now()));

const readStatus = async (app: TestApp, token: string) =>
  (await app.request('GET', '/auth/me', { token })).status;

describe('a session that ends on one process', () => {
  it.each([
    ['a minute and a half ahead', 90_000],
    ['half an hour ahead', 1_800_000],
  ])('is refused by another process whose clock is %s', async (_, skew_ms) => {
    const { token } = await one.registerMember();
    other.clock.set(new Date(one.clock.now().getTime() + skew_ms));
    // The watch looks once with this clock, so that the end is read by its second look.
    await waitForLook(other);
    expect(await readStatus(other, token)).toBe(200);
    expect((await one.request('POST', '/auth/logout', { token })).status).toBe(204);
    await vi.waitFor(async () => expect(await readStatus(other, token)).toBe(401), 5_000);
  });

  it('is forgotten once its access tokens have expired, by the clock of the database', async () => {
    const own = await cloneDatabase();
    const writer = openDatabase(own, () => undefined);
    const [old, recent] = [randomUUID(), randomUUID()];
    for (const [id, hours] of [
      [old, 8],
      [recent, 5],
    ] as const)
      await writer.run(sql`
        insert into session_endings (session_id, ended_at) values (${id}, now() - make_interval(hours => ${hours}))`);
    const app = await startApp({}, own);
    const { sessions } = endedSessions(app.platform);
    await vi.waitFor(() => expect([...sessions.keys()]).toEqual([recent]), 5_000);
    const task = { signal: new AbortController().signal, reportProgress: async () => undefined };
    await forgetSessions.run({ ...app.platform, ...task }, {});
    expect(await writer.list(sql`select session_id from session_endings`)).toEqual([{ session_id: recent }]);
    await writer.close();
  });

  it('is refused by a process that starts later', async () => {
    const { token } = await one.registerMember();
    await one.request('POST', '/auth/logout', { token });
    const late = await startApp(environment, database);
    expect(await readStatus(late, token)).toBe(401);
  });
});

/** Ends a session of nobody and waits until the process has read its end. */
async function waitForLook(app: TestApp): Promise<void> {
  const id = randomUUID();
  await one.sql.run(sql`insert into session_endings (session_id) values (${id})`);
  await vi.waitFor(() => expect(endedSessions(app.platform).sessions.has(id)).toBe(true), 5_000);
}
