import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { password } from '#test/users.ts';
import { authenticateBrowser } from './authenticate-browser.ts';

const day_ms = 86_400_000;

const app = await startApp();

async function logIn(email: string): Promise<string> {
  const { cookies } = await app.request('POST', '/auth/login', { body: { email, password } });
  return cookies['refresh_token']!;
}

test('a refresh token identifies its user with the role and the organisation or member', async () => {
  const [member, org, admin] = [
    await app.registerMember(),
    await app.registerOrgAdmin(),
    await app.registerPlatformAdmin(),
  ];
  const identify = async ({ email }: { email: string }) =>
    (await authenticateBrowser(app.platform, await logIn(email)))?.caller;
  expect(await identify(member)).toMatchObject({
    role: 'member',
    user_id: member.user_id,
    member_id: member.member_id,
    authenticated_at: app.clock.now(),
  });
  expect(await identify(org)).toMatchObject({ role: 'org_admin', org_id: org.org_id });
  expect(await identify(admin)).toMatchObject({ role: 'platform_admin', user_id: admin.user_id });
});

test('an unknown, exchanged, ended or expired token identifies nobody, and neither does that of a suspended user', async () => {
  const { email, user_id } = await app.registerMember();
  expect(await authenticateBrowser(app.platform, 'unknown')).toBeUndefined();

  const exchanged = await logIn(email);
  await app.request('POST', '/auth/refresh', { cookies: { refresh_token: exchanged } });
  expect(await authenticateBrowser(app.platform, exchanged)).toBeUndefined();

  const ended = await logIn(email);
  await app.request('POST', '/auth/logout', { cookies: { refresh_token: ended } });
  expect(await authenticateBrowser(app.platform, ended)).toBeUndefined();

  const suspended = await logIn(email);
  await app.sql.run(sql`update users set suspended_at = now() where id = ${user_id}`);
  expect(await authenticateBrowser(app.platform, suspended)).toBeUndefined();
  await app.sql.run(sql`update users set suspended_at = null where id = ${user_id}`);
  expect(await authenticateBrowser(app.platform, suspended)).toBeDefined();
  app.clock.advance(30 * day_ms);
  expect(await authenticateBrowser(app.platform, suspended)).toBeUndefined();
});

test('its use extends the session, at most once an hour', async () => {
  const token = await logIn((await app.registerMember()).email);
  const use = async () => (await authenticateBrowser(app.platform, token))?.extended_s;
  expect(await use()).toBeUndefined();
  app.clock.advance(29 * day_ms);
  expect(await use()).toBe(30 * 86_400);
  expect(await use()).toBeUndefined();
  app.clock.advance(29 * day_ms);
  expect(await use()).toBe(30 * 86_400);
});
