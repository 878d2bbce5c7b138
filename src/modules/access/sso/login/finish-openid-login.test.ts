import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import {
  sendAnswer,
  completeOpenidLogin,
  configureOpenid,
  createOpenidOrganisation,
  openid_domain,
  passProvider,
  startOpenidLogin,
  startOpenidProvider,
} from '#test/modules/openid.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const ours = await createOpenidOrganisation(app);
const provider = await startOpenidProvider(ours.redirect_uri);
const mapping = { claim: 'groups', auditor: ['auditors'] };
await configureOpenid(app, ours, { issuer: provider.issuer, role_mapping: mapping });

let users = 0;
/** Makes the provider log in a new user with these claims. */
function useNewUser(claims: Readonly<Record<string, unknown>> = {}) {
  const subject = `user-${users++}`;
  const email = `${subject}@${openid_domain}`;
  provider.users[subject] = { email, email_verified: true, ...claims };
  provider.as = subject;
  return { subject, email };
}

const findUser = (email: string) =>
  app.sql.find(
    sql<{ id: string; role: string; org_id: string; verified: boolean }>`
      select id, role, org_id, email_verified_at is not null as verified from users where email = ${email}`,
  );

test('a new user of a proven domain gets an account, the same one at the next login, and the usual tokens', async () => {
  const { email } = useNewUser();
  const first = await completeOpenidLogin(app, ours);
  expect([first.status, first.body.user.email, first.body.user.role]).toEqual([200, email, 'org_viewer']);
  expect(await findUser(email)).toMatchObject({ org_id: ours.org_id, verified: false });
  const { access_token: token } = first.body;
  expect((await app.request('GET', '/orgs/me', { token })).body.id).toBe(ours.org_id);
  const second = await completeOpenidLogin(app, ours);
  expect(second.body.user.id).toBe(first.body.user.id);
});

test('a request has PKCE, a state and a nonce, and asks for the address only', async () => {
  const { address } = await startOpenidLogin(app, ours);
  const { searchParams } = new URL(address);
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: 'tessera',
    redirect_uri: ours.redirect_uri,
    response_type: 'code',
    scope: 'openid email',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    state: expect.stringMatching(/^_[0-9a-f]{32}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  });
});

test('a browser goes on to the page that it wanted, with its session', async () => {
  useNewUser();
  const reply = await completeOpenidLogin(app, ours, '/app/account');
  expect([reply.status, reply.headers['location']]).toEqual([303, '/app/account']);
  expect(Object.keys(reply.cookies)).toEqual(['tessera-session']);
});

test('the claim decides who is an auditor, at every login, and nothing about administrators', async () => {
  const { subject, email } = useNewUser({ groups: ['staff', 'auditors'] });
  expect((await completeOpenidLogin(app, ours)).body.user.role).toBe('auditor');
  const { body: before } = await completeOpenidLogin(app, ours);
  provider.users[subject] = { email, email_verified: true, groups: 'staff' };
  expect((await completeOpenidLogin(app, ours)).body.user.role).toBe('org_viewer');
  // Tokens have the role in them.
  expect((await app.request('GET', '/auth/me', { token: before.access_token })).status).toBe(401);
  const { body } = await app.request('GET', '/audit-log?action=orgs.user_role_changed&limit=1', {
    token: ours.admin.token,
  });
  expect(body.data[0].detail).toMatchObject({ role_before: 'auditor', role: 'org_viewer' });
  provider.users[subject] = { email, email_verified: true, groups: ['org_admin', 'admin'] };
  expect((await completeOpenidLogin(app, ours)).body.user.role).toBe('org_viewer');
});

test('a subject keeps its account when its address changes, and an address that is given to another person opens nothing', async () => {
  const { subject, email } = useNewUser();
  const { body } = await completeOpenidLogin(app, ours);
  provider.users[subject] = { email: `renamed-${email}`, email_verified: true };
  expect((await completeOpenidLogin(app, ours)).body.user.id).toBe(body.user.id);
  useNewUser({ email });
  const refused = await completeOpenidLogin(app, ours);
  expect([refused.status, refused.body.code]).toEqual([403, 'sso_account_refused']);
  expect(refused.body.detail).toContain('belongs to another user of the provider');
});

test('an account whose address nobody has verified is not linked; once verified, it is', async () => {
  const email = `invited@${openid_domain}`;
  const colleague = await createColleague(app, ours.org_id);
  await app.sql.run(sql`update users set email = ${email} where id = ${colleague.user_id}`);
  useNewUser({ email });
  const refused = await completeOpenidLogin(app, ours);
  expect([refused.status, refused.body.code]).toEqual([403, 'sso_account_refused']);
  expect(refused.body.detail).toContain('has not verified it');
  await app.sql.run(sql`update users set email_verified_at = now() where id = ${colleague.user_id}`);
  expect((await completeOpenidLogin(app, ours)).body.user.id).toBe(colleague.user_id);
});

test('accounts outside the organisation are not linked', async () => {
  const email = `person@${openid_domain}`;
  const member = await app.registerMember({ email });
  useNewUser({ email });
  for (const verified_at of [null, app.clock.now()]) {
    await app.sql.run(sql`update users set email_verified_at = ${verified_at} where id = ${member.user_id}`);
    const { status, body } = await completeOpenidLogin(app, ours);
    expect([status, body.code]).toEqual([403, 'sso_account_refused']);
  }
});

test.each([
  [
    'another domain',
    { email: 'a@elsewhere.example' },
    403,
    'sso_account_refused',
    'This email address cannot log in',
  ],
  [
    'an unverified address',
    { email_verified: false },
    401,
    'sso_response_refused',
    'says that the email address is not verified',
  ],
  ['no address', { email: undefined }, 401, 'sso_response_refused', 'must give one email address'],
])('a user with %s is refused', async (_, claims, status, code, detail) => {
  useNewUser(claims);
  const reply = await completeOpenidLogin(app, ours);
  expect([reply.status, reply.body.code]).toEqual([status, code]);
  expect(reply.body.detail).toContain(detail);
});

test('a provider that says nothing about the address is believed: the holder of the domain chose it', async () => {
  useNewUser({ email_verified: undefined });
  expect((await completeOpenidLogin(app, ours)).status).toBe(200);
});

test('a domain that is not proven admits nobody, also no colleague', async () => {
  const theirs = await createOpenidOrganisation(app);
  const unproven = await startOpenidProvider(theirs.redirect_uri);
  await configureOpenid(app, theirs, { issuer: unproven.issuer, email_domains: ['quay-openid.org'] });
  unproven.users['ada'] = { email: 'ada@quay-openid.org', email_verified: true };
  const { status, body } = await completeOpenidLogin(app, theirs);
  expect([status, body.code]).toEqual([403, 'sso_domain_unverified']);
});

test('claims that the ID token leaves out are read from the UserInfo endpoint', async () => {
  const theirs = await createOpenidOrganisation(app);
  const conform = await startOpenidProvider(theirs.redirect_uri, { conformIdTokenClaims: true });
  await configureOpenid(app, theirs, { issuer: conform.issuer, role_mapping: mapping });
  conform.users['ada'] = { email: `ada@${openid_domain}`, email_verified: true, groups: ['auditors'] };
  const { status, body } = await completeOpenidLogin(app, theirs);
  expect([status, body.user?.role]).toEqual([200, 'auditor']);
});

test('an administrator waits a day for a new provider', async () => {
  const theirs = await createOpenidOrganisation(app);
  const fresh = await startOpenidProvider(theirs.redirect_uri);
  await configureOpenid(app, theirs, { issuer: fresh.issuer, email_domains: ['example.test'] });
  await app.sql.run(sql`update users set email = 'boss@example.test' where id = ${theirs.admin.user_id}`);
  fresh.users['ada'] = { email: 'boss@example.test', email_verified: true };
  const { status, body } = await completeOpenidLogin(app, theirs);
  expect([status, body.code]).toEqual([403, 'sso_provider_new']);
});

test('an answer counts once, in its browser, for its organisation, and for ten minutes', async () => {
  useNewUser();
  const { address, cookies } = await startOpenidLogin(app, ours);
  const { searchParams } = await passProvider(address, ours.redirect_uri);
  const expectRefusal = async (reply: ReturnType<typeof sendAnswer>, detail: string) => {
    const { status, body } = await reply;
    expect([status, body.code]).toEqual([401, 'sso_response_refused']);
    expect(body.detail).toContain(detail);
  };
  const theirs = await createOpenidOrganisation(app);
  await configureOpenid(app, theirs, { issuer: provider.issuer });
  await expectRefusal(sendAnswer(app, theirs, searchParams, cookies), 'was not started at this service');
  expect((await sendAnswer(app, ours, searchParams, cookies)).status).toBe(200);
  await expectRefusal(sendAnswer(app, ours, searchParams, cookies), 'already completed');

  const other = await startOpenidLogin(app, ours);
  const stolen = await passProvider(other.address, ours.redirect_uri);
  await expectRefusal(sendAnswer(app, ours, stolen.searchParams, {}), 'in another browser');

  const late = await startOpenidLogin(app, ours);
  const answer = await passProvider(late.address, ours.redirect_uri);
  app.clock.advance(601_000);
  await expectRefusal(sendAnswer(app, ours, answer.searchParams, late.cookies), 'older than 10 minutes');
  await expectRefusal(
    sendAnswer(app, ours, { state: '<script>', code: 'a' }, late.cookies),
    'not one of this service',
  );
});

test('a code of another login, and the refusal of the provider, log nobody in', async () => {
  useNewUser();
  const first = await startOpenidLogin(app, ours);
  const answer = await passProvider(first.address, ours.redirect_uri);
  const second = await startOpenidLogin(app, ours);
  const state = new URL(second.address).searchParams.get('state')!;
  const swapped = { code: answer.searchParams.get('code')!, iss: provider.issuer, state };
  const injected = await sendAnswer(app, ours, swapped, second.cookies);
  expect([injected.status, injected.body.detail]).toEqual([
    401,
    expect.stringContaining('did not take the code'),
  ]);

  const third = await startOpenidLogin(app, ours);
  const denied = {
    error: 'access_denied',
    iss: provider.issuer,
    state: new URL(third.address).searchParams.get('state')!,
  };
  const refused = await sendAnswer(app, ours, denied, third.cookies);
  expect([refused.status, refused.body.detail]).toEqual([401, 'The provider refused the login.']);

  const fourth = await startOpenidLogin(app, ours);
  const mixed = await passProvider(fourth.address, ours.redirect_uri);
  mixed.searchParams.set('iss', 'https://other.example');
  const confused = await sendAnswer(app, ours, mixed.searchParams, fourth.cookies);
  expect([confused.status, confused.body.code]).toEqual([401, 'sso_response_refused']);
});

test('the address of a person leads to the provider of the organisation that holds its domain', async () => {
  await configureOpenid(app, ours, { issuer: provider.issuer, role_mapping: mapping });
  const { body } = await app.request('POST', '/auth/sso/discover', { body: { email: `x@${openid_domain}` } });
  expect(body.login_url).toMatch(/\/api\/v1\/auth\/sso\/[\w-]{36}\/login$/);
});

test('a provider that is turned off logs nobody in', async () => {
  const theirs = await createOpenidOrganisation(app);
  await configureOpenid(app, theirs, { issuer: provider.issuer, enabled: false });
  const started = await app.request('GET', `/auth/sso/${theirs.org_id}/login`);
  expect([started.status, started.body.code]).toEqual([404, 'sso_not_configured']);
  const answered = await sendAnswer(app, theirs, { state: 'a', code: 'a' }, {});
  expect([answered.status, answered.body.code]).toEqual([404, 'sso_not_configured']);
});
