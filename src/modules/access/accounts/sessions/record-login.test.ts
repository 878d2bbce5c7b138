import { expect, test } from 'vitest';
import { domain } from '@tessera/saml/testing';
import { createUser } from '#modules/access/accounts';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { computeTotpCode, enableMfa, findWrongCode, requestTicket } from '#test/modules/auth.ts';
import { completeSsoLogin, createSsoOrganisation } from '#test/modules/sso.ts';
import { createEmail, password } from '#test/users.ts';

const app = await startApp();

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const newer_firefox = firefox.replaceAll('128', '131');
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

type Entry = { readonly action: string; readonly detail: object };

const listLogins = (served: TestApp, user_id: string) =>
  served.sql.list(sql<Entry & { readonly actor_user_id: string | null }>`
    select action, detail, actor_user_id from audit_log
    where action in ('auth.logged_in', 'auth.login_failed', 'auth.reauthenticated')
      and (actor_user_id = ${user_id} or detail ->> 'user_id' = ${user_id}) order by sequence`);

test('each login, confirmation and wrong proof is in the audit log with its account and its factor', async () => {
  const member = await app.registerMember();
  const { email, user_id, token } = member;
  const logIn = (body: object) => app.request('POST', '/auth/login', { body });
  await logIn({ email, password });
  await logIn({ email, password: 'Wrong-Horse-7-Battery' });
  await app.request('POST', '/auth/reauthenticate', { token, body: { password } });
  await app.request('POST', '/auth/reauthenticate', { token, body: { password: 'Wrong-Horse-7-Battery' } });
  const { secret, recovery_codes } = await enableMfa(app, member);
  const complete = async (code: string, recovery = false) =>
    app.request('POST', '/auth/mfa/authenticate', {
      body: { mfa_ticket: await requestTicket(app, member), code, recovery },
    });
  await complete(findWrongCode(secret, app.clock));
  await complete(computeTotpCode(secret, app.clock));
  await complete(recovery_codes[0]!, true);
  const buildEntry = (action: string, factor: string) =>
    action === 'auth.login_failed'
      ? { action, detail: { factor, user_id }, actor_user_id: null }
      : { action, detail: { factor }, actor_user_id: user_id };
  expect(await listLogins(app, user_id)).toEqual([
    buildEntry('auth.logged_in', 'password'),
    buildEntry('auth.login_failed', 'password'),
    buildEntry('auth.reauthenticated', 'password'),
    buildEntry('auth.login_failed', 'password'),
    buildEntry('auth.login_failed', 'code'),
    buildEntry('auth.logged_in', 'code'),
    buildEntry('auth.logged_in', 'recovery_code'),
  ]);
});

test('a right password of a suspended account, and a refused login by single sign-on, are recorded with the reason', async () => {
  const member = await app.registerMember();
  await app.sql.run(sql`update users set suspended_at = ${app.clock.now()} where id = ${member.user_id}`);
  await app.request('POST', '/auth/login', { body: { email: member.email, password } });
  const { user_id } = member;
  expect((await listLogins(app, user_id)).map(({ action, detail }) => [action, detail])).toEqual([
    ['auth.login_failed', { factor: 'password', reason: 'account_suspended', user_id }],
  ]);
  const ours = await createSsoOrganisation(app);
  const email = `admin@${domain}`;
  const admin = { email, password, role: 'org_admin', org_id: ours.org_id, name: undefined } as const;
  const { id } = await createUser(app.platform, admin);
  expect((await completeSsoLogin(app, ours, { email })).status).toBe(403);
  const { token } = ours.admin;
  const { body } = await app.request('GET', '/audit-log?action=auth.login_failed', { token });
  expect(body.data.map(({ detail }: Entry) => detail)).toEqual([
    { factor: 'sso', reason: 'sso_provider_new', user_id: id },
  ]);
});

test('a name without an account has an entry as well, which names nobody, so that replies do not differ', async () => {
  const served = await startApp({ TESSERA_RATE_LIMITS: 'on' });
  const { email, user_id, token } = await served.registerMember();
  const guess = { password: 'Wrong-Horse-7-Battery' };
  const [known, unknown] = [
    await served.request('POST', '/auth/login', { body: { ...guess, email } }),
    await served.request('POST', '/auth/login', { body: { ...guess, email: createEmail() } }),
  ];
  const { request_id: _known, ...body } = known.body;
  const { request_id: _unknown, ...other } = unknown.body;
  expect([known.status, body]).toEqual([unknown.status, other]);
  const entries = await served.sql.list(sql`
    select member_id is not null as is_known, detail from audit_log where action = 'auth.login_failed' order by sequence`);
  expect(entries).toEqual([
    { is_known: true, detail: { factor: 'password', user_id } },
    { is_known: false, detail: { factor: 'password' } },
  ]);
  const own = await served.request('GET', '/audit-log?action=auth.login_failed', { token });
  expect(own.body.data.map(({ detail }: Entry) => detail)).toEqual([{ factor: 'password', user_id }]);
  expect(JSON.stringify(await served.sql.list(sql`select * from audit_log`))).not.toContain('Wrong-Horse');
});

async function logInFrom(email: string, user_agent: string, address: string): Promise<void> {
  const headers = { 'user-agent': user_agent, 'x-forwarded-for': address };
  const { status } = await behindProxy.request('POST', '/auth/login', { headers, body: { email, password } });
  if (status !== 200) throw new Error(`the login failed with ${status}`);
}

const behindProxy = await startApp({ TESSERA_TRUSTED_PROXIES: '127.0.0.1' });

async function readNotices(email: string): Promise<string[]> {
  await behindProxy.drainQueue();
  const mails = (await behindProxy.readMails()).filter(({ to }) => to === email);
  return mails.filter(({ subject }) => subject === 'A login from a new device').map(({ text }) => text);
}

test('a login from another kind of browser or another network is reported by email, once', async () => {
  const email = createEmail();
  await createUser(behindProxy.platform, {
    email,
    password,
    role: 'org_admin',
    org_id: undefined,
    name: 'Ours',
  });
  await logInFrom(email, firefox, '203.0.113.8');
  await logInFrom(email, newer_firefox, '203.0.113.8');
  expect(await readNotices(email)).toEqual([]);
  await logInFrom(email, safari, '203.0.113.8');
  await logInFrom(email, firefox, '198.51.100.7');
  await logInFrom(email, firefox, '198.51.100.7');
  const notices = await readNotices(email);
  expect(
    new Set(notices.map((text) => /It was [^.]*, at the network address \S+\d/.exec(text)?.[0])),
  ).toEqual(
    new Set([
      'It was Firefox on Linux, at the network address 198.51.100.7',
      'It was Safari on iPhone, at the network address 203.0.113.8',
    ]),
  );
  expect(notices).toHaveLength(2);
});

test('nor does a long silence hide a stranger, and the email repeats nothing that they chose', async () => {
  const { email, user_id } = await behindProxy.registerMember();
  await behindProxy.sql.run(sql`delete from refresh_tokens`);
  await behindProxy.sql.run(sql`delete from sessions where user_id = ${user_id}`);
  behindProxy.clock.advance(31 * 86_400_000);
  await logInFrom(email, 'Call +1 555 0100 to unlock your account', '203.0.113.9');
  const [notice = ''] = await readNotices(email);
  expect(notice).toContain('It was a device that does not name itself, at the network address 203.0.113.9.');
  expect(notice).not.toContain('555');
});
