import { globSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from './harness.ts';
import { createInvitation } from './modules/org-users.ts';
import { createEmail, password, type TestOrgUser } from './users.ts';

/*
 * Who registers an address, gives a new one or invites somebody chooses who gets an email. Nobody may use the service to write to strangers in
 * numbers, or in words of their own.
 */
const app = await startApp({ TESSERA_RATE_LIMITS: 'on', TESSERA_TRUSTED_PROXIES: '127.0.0.1' });

let networks = 0;
/** Chooses the headers of a request from a network of its own. */
const chooseNetwork = () => ({ 'x-forwarded-for': `2001:db8:0:${(++networks).toString(16)}::1` });

const invite = (token: string, email: string, headers: Readonly<Record<string, string>> = chooseNetwork()) =>
  app.request('POST', '/orgs/me/users', { token, body: { email, role: 'org_viewer' }, headers });

let organisations: readonly TestOrgUser[];
beforeAll(async () => {
  organisations = await Promise.all(Array.from({ length: 10 }, () => app.registerOrgAdmin()));
});

test('each operation that emails an address that is not proven is limited', () => {
  // Its callers are limited.
  const shared = 'src/modules/matching/candidates/inviting/add-invitation.ts';
  const files = globSync('src/modules/**/*.ts').filter(
    (file) => !file.endsWith('.test.ts') && file !== shared,
  );
  const senders = files.filter((file) =>
    /(?<!function )\b(?:queueVerification|queueEmailChange|addInvitation)\(|queue\.send\(tx, send(?:Candidate)?Invitation/.test(
      readFileSync(file, 'utf8'),
    ),
  );
  expect(senders.length).toBeGreaterThanOrEqual(9);
  for (const file of senders)
    expect([file, readFileSync(file, 'utf8').includes('runLimitedMail(')]).toEqual([file, true]);
});

test('one address gets at most ten emails a day, from however many organisations, accounts and networks', async () => {
  const stranger = createEmail();
  for (const { token } of organisations) expect((await invite(token, stranger)).status).toBe(201);
  const other = await app.registerOrgAdmin();
  const member = await app.registerMember();
  const attempts = [
    invite(other.token, stranger),
    invite(other.token, stranger.toUpperCase()),
    app.request('POST', '/auth/handles', {
      body: { handle: 'a-stranger', password, email: stranger },
      headers: chooseNetwork(),
    }),
    app.request('POST', '/auth/change-email', {
      token: member.token,
      body: { email: stranger },
      headers: chooseNetwork(),
    }),
  ];
  for (const { status, body, headers } of await Promise.all(attempts))
    expect([status, body.code, Number(headers['retry-after']) > 80_000]).toEqual([
      429,
      'too_many_requests',
      true,
    ]);
  // What others send keeps nobody from registering.
  const own = { email: stranger, password, name: 'Ada' };
  const registered = await app.request('POST', '/auth/register', { body: own, headers: chooseNetwork() });
  expect(registered.status).toBe(201);
  app.clock.advance(86_400_000);
  const later = await app.request('POST', '/auth/login', { body: { email: other.email, password } });
  expect((await invite(later.body.access_token, stranger)).status).toBe(201);
});

test('an invitation and a verification that are sent again count as well', async () => {
  const admin = await app.registerOrgAdmin();
  const { token } = admin;
  const { id } = await createInvitation(app, token);
  const resend = () =>
    app.request('POST', `/orgs/me/users/${id}/resend-invitation`, {
      token,
      headers: chooseNetwork(),
    });
  for (let sent = 1; sent < 10; sent++) {
    app.clock.advance(600_000);
    expect((await resend()).status).toBe(202);
  }
  app.clock.advance(600_000);
  expect((await resend()).status).toBe(429);
  const member = await app.registerMember();
  const verify = () => app.request('POST', '/auth/resend-verification', { token: member.token, body: {} });
  let sent = 1;
  for (; (await verify()).status === 202; sent++) app.clock.advance(900_000);
  expect(sent).toBe(10);
});

test('a network causes at most 300 such emails an hour', async () => {
  const admins = await Promise.all(Array.from({ length: 4 }, () => app.registerOrgAdmin()));
  const headers = chooseNetwork();
  const statuses: number[] = [];
  for (const { token } of admins)
    for (let count = 0; count < 76; count++)
      statuses.push((await invite(token, createEmail(), headers)).status);
  expect(statuses).toEqual([...Array<number>(300).fill(201), ...Array<number>(4).fill(429)]);
  expect((await invite(admins[0]!.token, createEmail())).status).toBe(201);
});

test('an organisation whose administrators have not verified an address invites nobody, whatever its domain', async () => {
  const own = await startApp();
  for (const email of [createEmail(), `a-${createEmail().slice(0, 9)}@harbour.test`]) {
    const { token, org_id, user_id } = await own.registerOrgAdmin({ email, is_verified: false });
    const stranger = createEmail();
    const inviteStranger = () =>
      own.request('POST', '/orgs/me/users', { token, body: { email: stranger, role: 'org_viewer' } });
    const refused = await inviteStranger();
    expect([refused.status, refused.body.code]).toEqual([403, 'email_not_verified']);
    await own.drainQueue();
    expect((await own.readMails()).filter(({ to }) => to.includes(stranger))).toEqual([]);
    await own.sql.run(sql`update users set email_verified_at = ${own.clock.now()} where id = ${user_id}`);
    const { body: invited } = await inviteStranger();
    expect(invited).toMatchObject({ status: 'invited' });
    await own.sql.run(sql`update users set email_verified_at = null where org_id = ${org_id}`);
    own.clock.advance(600_000);
    const again = await own.request('POST', `/orgs/me/users/${invited.id}/resend-invitation`, { token });
    expect([again.status, again.body.code]).toEqual([403, 'email_not_verified']);
  }
});

test('emails to an address that is not proven have no words of the one who gave it', async () => {
  const name = 'Your account is locked, call 555 0199';
  const own = await startApp();
  const member = await own.registerMember({ name });
  await own.request('POST', '/auth/change-email', { token: member.token, body: { email: createEmail() } });
  await own.request('POST', '/auth/change-password', {
    token: member.token,
    body: { current_password: password, new_password: 'Another-Horse-8-Battery' },
  });
  await own.request('POST', '/auth/forgot-password', { body: { email: member.email } });
  await own.drainQueue();
  const mails = await own.readMails();
  expect(mails.length).toBeGreaterThanOrEqual(4);
  for (const { text, html } of mails) expect(`${text}${html}`).not.toContain('555');
  expect(mails.every(({ text }) => text.startsWith('Hello,'))).toBe(true);
});
