import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, sql } from '#platform/database/database.ts';
import type { TestPostgres } from '#test/global-setup.ts';
import { cloneDatabase, startApp, type TestApp } from '#test/harness.ts';
import { waitUntilBlocked } from '#test/wait-until-blocked.ts';
import { authenticateCaller } from './authenticate-caller.ts';
import { forgetSessions } from '../forget-sessions.ts';
import { endedSessions, recordUserSuspension } from './watch-sessions.ts';

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
    await expect.poll(() => readStatus(other, token)).toBe(401);
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
    await expect.poll(() => [...sessions.keys()]).toEqual([recent]);
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

it('a suspension by this process is not forgotten by a look that began before it', async () => {
  const app = await startApp({}, await cloneDatabase());
  const { user_id } = await app.registerMember();
  await app.sql.transaction(async (tx) => {
    await tx.run(sql`lock table organisations in access exclusive mode`);
    // The look has read the users and waits for the organisations.
    await waitUntilBlocked(app);
    await app.sql.run(sql`update users set suspended_at = ${app.clock.now()} where id = ${user_id}`);
    recordUserSuspension(app.platform, user_id, true);
  });
  const seen: boolean[] = [];
  await waitForLook(app, () => seen.push(endedSessions(app.platform).suspended.has(user_id)));
  expect(seen).not.toContain(false);
});

describe('the account of a member who asked to be erased', () => {
  const readRefusal = async (app: TestApp, token: string) => {
    const { status, body } = await app.request('GET', '/auth/me', { token });
    return [status, body.code];
  };

  it('has the same refusal at once and after each process has looked: its session has ended', async () => {
    const { token } = await one.registerMember();
    expect((await one.request('DELETE', '/members/me', { token })).status).toBe(202);
    expect(await readRefusal(one, token)).toEqual([401, 'token_invalid']);
    // The first look may have begun before the deletion, and the second reads suspensions after the first has ended.
    for (const app of [one, one, other]) await waitForLook(app);
    for (const app of [one, other]) expect(await readRefusal(app, token)).toEqual([401, 'token_invalid']);
  });

  it('is refused after the erasure by a process that has not seen the account close', async () => {
    const own = { ...environment, TESSERA_RETENTION_SECONDS: '0' };
    const settings = await cloneDatabase();
    const first = await startApp(own, settings);
    const { token, member_id } = await first.registerMember();
    await first.request('DELETE', '/members/me', { token });
    await first.drainQueue();
    expect(await first.sql.list(sql`select from members where id = ${member_id}`)).toEqual([]);
    const late = await startApp(own, settings);
    await expect(authenticateCaller(late.platform, `Bearer ${token}`)).rejects.toMatchObject({
      code: 'token_invalid',
    });
  });
});

/** Ends a session of nobody and waits until the process has read its end. @param onPoll Called before each attempt to find it. */
async function waitForLook(app: TestApp, onPoll = (): unknown => undefined): Promise<void> {
  const id = randomUUID();
  await app.sql.run(sql`insert into session_endings (session_id) values (${id})`);
  const findEnding = () => {
    onPoll();
    return endedSessions(app.platform).sessions.has(id);
  };
  await expect.poll(findEnding).toBe(true);
}
