import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { readAccountLink } from '#test/modules/registrations.ts';
import { createEmail, password } from '#test/users.ts';

const app = await startApp();
const request = (body: object) => app.request('POST', '/auth/registrations', { body });
const open = (body: object) => app.request('POST', '/auth/registrations/open', { body });
const countUsers = async () =>
  (await app.sql.one(sql<{ users: number }>`select count(*)::int as users from users`)).users;

describe('opening an account', () => {
  it('creates it with a verified address and the chosen password, logs in, and works once', async () => {
    const email = createEmail();
    await request({ email, name: ' Ada Lind ' });
    const token = await readAccountLink(app, email);
    const { status, body, cookies } = await open({ token, password });
    expect([status, body.user.email, body.user.role]).toEqual([201, email, 'member']);
    expect(cookies['refresh_token']).toBeDefined();
    const me = await app.request('GET', '/auth/me', { token: body.access_token });
    expect(me.body).toMatchObject({ display_name: 'Ada Lind', email_verified: true });
    expect((await app.request('POST', '/auth/login', { body: { email, password } })).status).toBe(200);
    const again = await open({ token, password });
    expect([again.status, again.body.code]).toEqual([409, 'email_taken']);
  });

  it('creates an organisation with its first administrator, who is verified', async () => {
    const email = createEmail();
    await request({ email, name: 'Harbour Ltd', role: 'org_admin' });
    const { body } = await open({ token: await readAccountLink(app, email), password });
    const own = { token: body.access_token };
    expect((await app.request('GET', '/orgs/me', own)).body.name).toBe('Harbour Ltd');
    expect((await app.request('GET', '/orgs/me/matches', own)).status).toBe(200);
  });

  it('refuses a weak password, one that is the address or the name, and a link that is altered or a day old', async () => {
    const email = 'lovelace-meridian.9@example.org';
    await request({ email, name: 'Countess Meridian' });
    const token = await readAccountLink(app, email);
    const before = await countUsers();
    const weak = await open({ token, password: 'weak' });
    expect([weak.status, weak.body.code]).toEqual([422, 'password_too_weak']);
    for (const own of ['Lovelace-Meridian.9', 'Countess-Meridian1'])
      expect([own, (await open({ token, password: own })).body.code]).toEqual([own, 'password_too_common']);
    for (const wrong of ['abc', `${token.slice(0, -2)}AA`]) {
      const { status, body } = await open({ token: wrong, password });
      expect([status, body.code]).toEqual([410, 'registration_link_invalid']);
    }
    app.clock.advance(86_400_001);
    expect((await open({ token, password })).body.code).toBe('registration_link_invalid');
    expect(await countUsers()).toBe(before);
  });

  it('sends nothing to an account that is suspended, nor after a day', async () => {
    const member = await app.registerMember();
    await app.sql.run(sql`update users set suspended_at = now() where email = ${member.email}`);
    const late = createEmail();
    await app.drainQueue();
    const before = (await app.readMails()).length;
    await request({ email: member.email });
    await request({ email: late });
    app.clock.advance(86_400_001);
    await app.drainQueue();
    expect((await app.readMails()).length).toBe(before);
  });
});
