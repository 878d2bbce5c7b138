import { describe, expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';
import { password } from '#test/users.ts';

const app = await startApp();

const list = (token?: string, query = '') =>
  app.request('GET', `/auth/sessions${query}`, token === undefined ? {} : { token });
const logIn = (email: string, headers = {}) =>
  app.request('POST', '/auth/login', { body: { email, password }, headers });

describe('the list of sessions', () => {
  it('contains every logged-in device, newest first, and marks the current one', async () => {
    const { email, token } = await app.registerMember();
    app.clock.advance(1_000);
    const began = app.clock.now().toISOString();
    const { body } = await logIn(email, { 'user-agent': 'Lynx/2.9' });
    const { status, body: page } = await list(body.access_token);
    expect(status).toBe(200);
    expect(page.pagination).toEqual({ next_cursor: null, has_more: false, total_count: 2 });
    expect(page.data[0]).toEqual({
      id: expect.any(String),
      created_at: began,
      last_used_at: began,
      address: '127.0.0.1',
      user_agent: 'Lynx/2.9',
      current: true,
    });
    expect(page.data.map(({ current }: { current: boolean }) => current)).toEqual([true, false]);
    expect((await list(token)).body.data.map(({ current }: { current: boolean }) => current)).toEqual([
      false,
      true,
    ]);
  });

  it('shows the time of the last refresh, and omits ended and expired sessions', async () => {
    const { email } = await app.registerMember();
    const [open, ended] = [await logIn(email), await logIn(email)];
    await app.request('POST', '/auth/logout', { cookies: ended.cookies });
    app.clock.advance(29 * 86_400_000);
    const { body } = await app.request('POST', '/auth/refresh', { cookies: open.cookies });
    expect((await list(body.access_token)).body.data).toHaveLength(2);
    app.clock.advance(2 * 86_400_000);
    const later = await logIn(email);
    const { data } = (await list(later.body.access_token)).body;
    expect(data).toHaveLength(2);
    expect(Date.parse(data[1].last_used_at) - Date.parse(data[1].created_at)).toBe(29 * 86_400_000);
  });

  it('is read in pages, and rejects a cursor of another user', async () => {
    const { email, token } = await app.registerMember();
    const other = await app.registerMember();
    for (let more = 0; more < 4; more++) await logIn(email);
    const ids = [];
    let cursor = '';
    for (let pages = 0; pages < 3; pages++) {
      const { body } = await list(token, `?limit=2${cursor}`);
      ids.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = `&cursor=${body.pagination.next_cursor}`;
    }
    expect(new Set(ids).size).toBe(5);
    const { next_cursor } = (await list(token, '?limit=2')).body.pagination;
    expect((await list(other.token, `?limit=2&cursor=${next_cursor}`)).body.code).toBe('cursor_invalid');
    expect((await list(token, '?limit=0')).body.errors[0].pointer).toBe('/limit');
  });

  it('returns only the caller’s sessions for every role, and rejects an anonymous caller', async () => {
    for (const user of [await app.registerOrgAdmin(), await app.registerPlatformAdmin()]) {
      const { status, body } = await list(user.token);
      expect(status).toBe(200);
      expect(body.data.some(({ current }: { current: boolean }) => current)).toBe(true);
      expect(body.data.length).toBeLessThan(3);
    }
    expect((await list()).body.code).toBe('authentication_required');
  });
});
