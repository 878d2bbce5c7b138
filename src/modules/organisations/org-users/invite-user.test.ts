import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createEmail, logInAgain } from '#test/users.ts';
import { createColleague } from '#test/colleague.ts';
import { readOrgUsers, createInvitation, readMailedToken } from '#test/modules/org-users.ts';

const app = await startApp();

const invite = (token: string | undefined, body: unknown, headers: Record<string, string> = {}) =>
  app.request('POST', '/orgs/me/users', { body, headers, ...(token !== undefined && { token }) });

const day_ms = 86_400_000;

test('an administrator invites a user, who receives a link by email and appears in the list', async () => {
  const { token, org_id, user_id } = await app.registerOrgAdmin({ name: 'Harbour Health' });
  const email = createEmail();
  const { status, body } = await invite(token, { email: email.toUpperCase(), role: 'auditor' });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.any(String),
    email,
    display_name: null,
    role: 'auditor',
    status: 'invited',
    created_at: app.clock.now().toISOString(),
    last_login: null,
    expires_at: new Date(app.clock.now().getTime() + 7 * day_ms).toISOString(),
  });
  expect(await readOrgUsers(app, token)).toContainEqual(body);
  expect(await readMailedToken(app, email)).toMatch(/^[\w-]{43}$/);
  const mail = (await app.readMails()).find(({ to }) => to.includes(email))!;
  expect(mail.text).toContain('Harbour Health');
  expect(mail.text).toContain('an auditor');
  expect(
    await app.sql.list(
      sql`select actor_user_id, detail from audit_log where org_id = ${org_id} and action = 'invitations.sent'`,
    ),
  ).toEqual([{ actor_user_id: user_id, detail: { invitation_id: body.id, role: 'auditor' } }]);
});

test('neither the database nor the queue contains the token of the link', async () => {
  const { token } = await app.registerOrgAdmin();
  const { email } = await createInvitation(app, token);
  const mailed = (await readMailedToken(app, email))!;
  const { is_stored } = await app.sql.one(sql<{ is_stored: boolean }>`
    select exists (select from invitations where invitations::text like ${`%${mailed}%`})
      or exists (select from tasks where tasks::text like ${`%${mailed}%`}) as is_stored`);
  expect(is_stored).toBe(false);
});

test('an organisation’s name cannot put a link or another header into the email', async () => {
  const { token } = await app.registerOrgAdmin({
    name: 'Win at https://evil.example/now\r\nBcc: all@example.org\n\nwww.evil.example',
  });
  const { email } = await createInvitation(app, token);
  await app.drainQueue();
  const mail = (await app.readMails()).find(({ to }) => to.includes(email))!;
  expect(mail.text).not.toMatch(/evil\.example|https:\/\/evil|all@example/);
  expect(mail.text).toContain('    Win at https: / / evil. example/ now Bcc: all@ example. org');
});

test('refuses an address that is already invited, until the invitation is cancelled', async () => {
  const { token } = await app.registerOrgAdmin();
  const first = await createInvitation(app, token);
  const body = { email: first.email, role: 'auditor' };
  const again = await invite(token, body);
  expect([again.status, again.body.code]).toEqual([409, 'invitation_exists']);
  await app.request('DELETE', `/orgs/me/users/${first.id}`, { token });
  expect((await invite(token, body)).status).toBe(201);
});

test('an address can be invited again after its invitation has expired', async () => {
  const own = await startApp();
  const admin = await own.registerOrgAdmin();
  const { email } = await createInvitation(own, admin.token);
  own.clock.advance(7 * day_ms);
  const { body } = await own.request('POST', '/auth/login', {
    body: { email: admin.email, password: admin.password },
  });
  const again = await own.request('POST', '/orgs/me/users', {
    token: body.access_token,
    body: { email, role: 'auditor' },
  });
  expect(again.status).toBe(201);
  expect((await readOrgUsers(own, body.access_token)).map((user) => user.email).toSorted()).toEqual(
    [admin.email, email].toSorted(),
  );
});

test('refuses every address that has an account, with the same reply for all', async () => {
  const [{ token, org_id, email }, member, other] = [
    await app.registerOrgAdmin(),
    await app.registerMember(),
    await app.registerOrgAdmin(),
  ];
  const viewer = await createColleague(app, org_id, 'org_viewer');
  // An address that nobody has verified can be invited: accepting proves whose it is.
  await app.sql.run(
    sql`update users set email_verified_at = ${app.clock.now()} where email in (${member.email}, ${other.email})`,
  );
  const responses = await Promise.all(
    [email, viewer.email, member.email, other.email.toUpperCase()].map((address) =>
      invite(token, { email: address, role: 'org_viewer' }),
    ),
  );
  for (const { status, body } of responses) {
    expect([status, body.code, body.detail]).toEqual([
      409,
      'email_taken',
      'An account with this email address exists. Its owner can request a new password.',
    ]);
  }
  expect(await readOrgUsers(app, token)).toHaveLength(2);
});

test('two organisations may invite the same address', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  const { email } = await createInvitation(app, ours.token);
  expect((await invite(theirs.token, { email, role: 'org_viewer' })).status).toBe(201);
});

test('sends one invitation for concurrent requests with the same address', async () => {
  const { token } = await app.registerOrgAdmin();
  const email = createEmail();
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => invite(token, { email, role: 'auditor' })),
  );
  expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    201,
    ...Array<number>(7).fill(409),
  ]);
});

test('a request retried with its Idempotency-Key invites once and gets the same reply', async () => {
  const { token } = await app.registerOrgAdmin();
  const body = { email: createEmail(), role: 'auditor' };
  const headers = { 'idempotency-key': 'invite-1' };
  const first = await invite(token, body, headers);
  expect(await invite(token, body, headers)).toMatchObject({ status: 201, body: first.body });
  expect(await readOrgUsers(app, token)).toHaveLength(2);
});

test('an organisation has at most 200 users, open invitations included', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  await app.sql.run(sql`
    insert into users (id, email, password_hash, role, org_id, created_at, last_login)
    select gen_random_uuid(), ${org_id} || '-' || n || '@example.org', '!', 'org_viewer', ${org_id}::uuid, now(), now()
    from generate_series(1, 198) as n`);
  expect((await invite(token, { email: createEmail(), role: 'auditor' })).status).toBe(201);
  const { status, body } = await invite(token, { email: createEmail(), role: 'auditor' });
  expect([status, body.code]).toEqual([409, 'organisation_full']);
});

test('an organisation sends at most 100 invitations a day, cancelled ones included', async () => {
  const own = await startApp();
  const admin = await own.registerOrgAdmin();
  const { token, org_id } = admin;
  const first = await createInvitation(own, token);
  await own.request('DELETE', `/orgs/me/users/${first.id}`, { token });
  await own.sql.run(sql`update invitations set mails = 100 where org_id = ${org_id}`);
  const body = { email: createEmail(), role: 'auditor' };
  const refused = await own.request('POST', '/orgs/me/users', { token, body });
  expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
    429,
    'too_many_requests',
    '86400',
  ]);
  const other = await own.registerOrgAdmin();
  expect((await own.request('POST', '/orgs/me/users', { token: other.token, body })).status).toBe(201);
  own.clock.advance(3_600_000);
  const later = await own.request('POST', '/orgs/me/users', { token: await logInAgain(own, admin), body });
  expect(later.headers['retry-after']).toBe('82800');
});

test.each([
  [{}, '/email'],
  [{ email: 'a@example.org' }, '/role'],
  [{ email: 'not an address', role: 'auditor' }, '/email'],
  [{ email: 'a@example.org,b@example.org', role: 'auditor' }, '/email'],
  [{ email: 'a@example.org\u0000', role: 'auditor' }, '/email'],
  [{ email: 'a@example.org', role: 'member' }, '/role'],
  [{ email: 'a@example.org', role: 'platform_admin' }, '/role'],
  [{ email: 'a@example.org', role: 'auditor', org_id: 'x' }, '/org_id'],
])('rejects %j at %j and invites nobody', async (body, pointer) => {
  const { token } = await app.registerOrgAdmin();
  const response = await invite(token, body);
  expect([response.status, response.body.code]).toEqual([422, 'field_invalid']);
  expect(response.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  expect(await readOrgUsers(app, token)).toHaveLength(1);
});

test('only administrators of an organisation may invite', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const body = { email: createEmail(), role: 'auditor' };
  const others = [
    await createColleague(app, org_id, 'org_viewer'),
    await createColleague(app, org_id, 'auditor'),
    await app.registerMember(),
    await app.registerPlatformAdmin(),
  ];
  for (const other of others) {
    const response = await invite(other.token, body);
    expect([response.status, response.body.code]).toEqual([403, 'role_not_allowed']);
  }
  expect((await invite(undefined, body)).status).toBe(401);
  expect(await readOrgUsers(app, token)).toHaveLength(3);
});
