import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { password } from '#test/users.ts';
import { forgetSessions } from './forget-sessions.ts';

const app = await startApp();

const run = async () => {
  const context = {
    ...app.platform,
    now: app.clock.now,
    signal: new AbortController().signal,
    reportProgress: async () => undefined,
  };
  await forgetSessions.run(context, {});
};
const countRows = () =>
  app.sql.one(sql<{ sessions: number; refresh_tokens: number; mailed_tokens: number }>`
    select (select count(*) from sessions) as sessions, (select count(*) from refresh_tokens) as refresh_tokens,
      (select count(*) from mailed_tokens) as mailed_tokens`);

describe('the task that deletes expired rows', () => {
  it('keeps valid rows and rows that revocations depend on, and deletes the rest', async () => {
    const { email } = await app.registerMember();
    await run();
    expect(await countRows()).toEqual({ sessions: 1, refresh_tokens: 1, mailed_tokens: 1 });
    app.clock.advance(29 * 86_400_000);
    const { cookies } = await app.request('POST', '/auth/login', { body: { email, password } });
    await run();
    expect(await countRows()).toEqual({ sessions: 2, refresh_tokens: 2, mailed_tokens: 0 });
    app.clock.advance(2 * 86_400_000);
    await run();
    expect(await countRows()).toEqual({ sessions: 1, refresh_tokens: 1, mailed_tokens: 0 });
    expect((await app.request('POST', '/auth/refresh', { cookies })).status).toBe(200);
  });
});
