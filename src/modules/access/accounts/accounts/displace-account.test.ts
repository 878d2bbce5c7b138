import { describe, expect, it } from 'vitest';
import { eraseMembers } from '#modules/people/rights';
import { sql } from '#platform/database/database.ts';
import { enableMfa } from '#test/modules/auth.ts';
import { createInvitation, readMailedToken } from '#test/modules/org-users.ts';
import { startApp } from '#test/harness.ts';
import { createEmail, type TestUser } from '#test/users.ts';

const owner_password = 'Owner-Horse-9-Meadow';
const month_ms = 2_592_000_000;

const app = await startApp();

const logIn = (email: string, password: string) =>
  app.request('POST', '/auth/login', { body: { email, password } });
const changeEmail = ({ token }: Pick<TestUser, 'token'>, email: string) =>
  app.request('POST', '/auth/change-email', { token, body: { email } });
const verify = (token: string) => app.request('POST', '/auth/verify-email', { body: { token } });
const grantConsent = (token: string, consent_type: string) =>
  app.request('POST', '/members/me/consent', {
    token,
    body: { consent_type, granted: true, version: '1.0' },
  });

/** The token in the newest email to an address whose text contains a word. */
async function readToken(email: string, word: string): Promise<string> {
  await app.drainQueue();
  const mails = (await app.readMails()).filter(({ to, text }) => to.includes(email) && text.includes(word));
  return /token=([\w-]+)/.exec(mails.at(-1)!.text)![1]!;
}

async function verifyAddress({ email }: TestUser): Promise<void> {
  await verify(await readToken(email, 'verify-email'));
}

async function resetPassword(email: string): Promise<void> {
  await app.request('POST', '/auth/forgot-password', { body: { email } });
  const token = await readToken(email, 'reset-password');
  const body = { token, new_password: owner_password };
  const { status } = await app.request('POST', '/auth/reset-password', { body });
  expect(status).toBe(204);
}

/** Registers another user's address, and makes it as hard for the owner as possible. */
async function occupyAddress(email = createEmail()) {
  const stranger = await app.registerMember({ email, name: 'Stranger' });
  for (const type of ['assessment_data', 'matching', 'identity_queries'])
    await grantConsent(stranger.token, type);
  await enableMfa(app, stranger);
  return stranger;
}

describe('the owner of an address that a stranger has registered', () => {
  it('takes the account over by an emailed link, without the stranger’s MFA, sessions and consents', async () => {
    const stranger = await occupyAddress();
    const elsewhere = createEmail();
    await changeEmail(stranger, elsewhere);
    const escape = await readToken(elsewhere, 'verify-email');
    await resetPassword(stranger.email);
    const login = await logIn(stranger.email, owner_password);
    expect([login.status, login.body.mfa_required]).toEqual([200, undefined]);
    const token = login.body.access_token;
    const consents = await app.request('GET', '/members/me/consent', { token });
    expect(consents.body.consents.filter(({ granted }: { granted: boolean }) => granted)).toEqual([]);
    const engagement = await app.request('GET', '/members/me/engagement', { token });
    expect(engagement.body.missing.map(({ code }: { code: string }) => code)).toEqual([
      'assessment_data_consented',
    ]);
    expect((await app.request('GET', '/auth/me', { token: stranger.token })).status).toBe(401);
    expect((await verify(escape)).body.code).toBe('verification_token_invalid');
    expect((await app.request('POST', '/auth/mfa/setup', { token, body: {} })).status).toBe(200);
  });

  it('is never deployed by what the stranger filled in', async () => {
    const stranger = await app.registerDeployedMember();
    await app.sql.run(sql`update members set email_verified = false where id = ${stranger.member_id}`);
    const before = await app.sql.list(sql`select from events where type = 'member.deployed'`);
    await resetPassword(stranger.email);
    expect(await app.sql.list(sql`select from events where type = 'member.deployed'`)).toHaveLength(
      before.length,
    );
  });

  it('moves another account to the address, which closes the stranger’s and erases its member', async () => {
    const stranger = await occupyAddress();
    const owner = await app.registerMember({ name: 'Owner' });
    expect((await changeEmail(owner, stranger.email)).status).toBe(202);
    expect(
      (await app.request('GET', '/auth/me', { token: stranger.token })).status,
      'nothing is proven yet',
    ).toBe(200);
    expect((await verify(await readToken(stranger.email, 'verify-email'))).status).toBe(204);
    const login = await logIn(stranger.email, owner.password);
    expect([login.status, login.body.user.id]).toEqual([200, owner.user_id]);
    expect((await app.request('GET', '/auth/me', { token: stranger.token })).status).toBe(401);
    await app.drainQueue();
    app.clock.advance(month_ms);
    await app.sql.transaction((tx) => app.platform.queue.send(tx, eraseMembers, {}));
    await app.drainQueue();
    const left = await app.sql.list(sql`select from members where id = ${stranger.member_id}`);
    expect([left, await app.sql.list(sql`select from users where id = ${stranger.user_id}`)]).toEqual([
      [],
      [],
    ]);
    const audited = await app.sql.list(sql`select from audit_log where action = 'auth.account_displaced'`);
    expect(audited).toHaveLength(1);
  });

  it('accepts an invitation, whatever the stranger’s account is', async () => {
    const admin = await app.registerOrgAdmin();
    for (const register of [
      () => occupyAddress(),
      () => app.registerOrgAdmin({ name: 'Stranger Ltd', is_verified: false }),
    ]) {
      const stranger = await register();
      await createInvitation(app, admin.token, { email: stranger.email });
      const token = await readMailedToken(app, stranger.email);
      const body = { token, password: owner_password };
      const accepted = await app.request('POST', '/auth/accept-invitation', { body });
      expect([accepted.status, accepted.body.user.email]).toEqual([201, stranger.email]);
      expect((await logIn(stranger.email, stranger.password)).body.code).toBe('credentials_wrong');
      expect((await app.request('GET', '/auth/me', { token: stranger.token })).status).toBe(401);
    }
  });

  it('wins also where the stranger acts at the same time', async () => {
    const stranger = await occupyAddress();
    const owner = await app.registerMember();
    await changeEmail(owner, stranger.email);
    const token = await readToken(stranger.email, 'verify-email');
    const [proof] = await Promise.all([
      verify(token),
      changeEmail(stranger, createEmail()),
      grantConsent(stranger.token, 'credential_sharing'),
      app.request('PATCH', '/auth/me', { token: stranger.token, body: { display_name: 'Still here' } }),
    ]);
    expect(proof.status).toBe(204);
    expect((await logIn(stranger.email, owner.password)).status).toBe(200);
  });
});

describe('an account keeps its address', () => {
  it('once it is verified, even between the request and the proof', async () => {
    const holder = await app.registerMember();
    const rival = await app.registerMember();
    const admin = await app.registerOrgAdmin();
    await changeEmail(rival, holder.email);
    const token = await readToken(holder.email, 'will use this email address');
    await createInvitation(app, admin.token, { email: holder.email });
    const invitation = await readMailedToken(app, holder.email);
    await app.sql.run(
      sql`update users set email_verified_at = ${app.clock.now()} where id = ${holder.user_id}`,
    );
    expect((await verify(token)).body.code).toBe('email_taken');
    const body = { token: invitation, password: owner_password };
    expect((await app.request('POST', '/auth/accept-invitation', { body })).body.code).toBe('email_taken');
    expect((await changeEmail(rival, holder.email)).body.code).toBe('email_taken');
    expect((await logIn(holder.email, holder.password)).status).toBe(200);
  });

  it('with its MFA and its consents, when its verified owner resets the password', async () => {
    const owner = await app.registerMember();
    await verifyAddress(owner);
    await grantConsent(owner.token, 'assessment_data');
    await enableMfa(app, owner);
    await resetPassword(owner.email);
    expect((await logIn(owner.email, owner_password)).body.mfa_required).toBe(true);
    const { granted } = await app.sql.one(sql<{ granted: boolean }>`
      select assessment_consented as granted from members where id = ${owner.member_id}`);
    expect(granted).toBe(true);
  });

  it('if it is a platform administrator’s, verified or not, and keeps its MFA in a reset', async () => {
    const operator = await app.registerPlatformAdmin();
    await enableMfa(app, operator);
    const rival = await app.registerMember();
    expect((await changeEmail(rival, operator.email)).body.code).toBe('email_taken');
    const admin = await app.registerOrgAdmin();
    const body = { email: operator.email, role: 'auditor' };
    expect((await app.request('POST', '/orgs/me/users', { token: admin.token, body })).body.code).toBe(
      'email_taken',
    );
    await resetPassword(operator.email);
    expect((await logIn(operator.email, owner_password)).body.mfa_required).toBe(true);
  });

  it('against an invitation by its own organisation', async () => {
    const admin = await app.registerOrgAdmin();
    const body = { email: admin.email, role: 'auditor' };
    expect((await app.request('POST', '/orgs/me/users', { token: admin.token, body })).body.code).toBe(
      'email_taken',
    );
  });
});
