import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildResponseXml, domain, signXml } from '@tessera/saml/testing';
import { changeOrganisationFromCommand } from '#modules/access/accounts';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import type { TestPostgres } from '#test/global-setup.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { enableMfa, computeTotpCode, requestTicket } from '#test/modules/auth.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';
import { createInvitation, readMailedToken } from '#test/modules/org-users.ts';
import { addTestPasskey, logInByPasskey } from '#test/modules/passkeys.ts';
import { completeSsoLogin, createSsoOrganisation, postResponse, startSsoLogin } from '#test/modules/sso.ts';
import { password } from '#test/users.ts';

/** Nodes of one service share the master key. */
const environment = { TESSERA_MASTER_KEY: randomBytes(32).toString('base64') };

const app = await startApp(environment);
const operator = await app.registerPlatformAdmin();

const suspend = (org_id: string, token = operator.token) =>
  app.request('POST', `/operator/organisations/${org_id}/suspend`, { token, body: {} });
const resume = (org_id: string) =>
  app.request('POST', `/operator/organisations/${org_id}/resume`, { token: operator.token, body: {} });
const logIn = (email: string) => app.request('POST', '/auth/login', { body: { email, password } });
const refused = [403, 'organisation_suspended'];
const suspended = { status: 403, body: { code: 'organisation_suspended' } };

const countOpenSessions = async (org_id: string) =>
  (
    await app.sql.one(sql<{ count: number }>`
      select count(*) from sessions join users on users.id = user_id where org_id = ${org_id} and revoked_at is null`)
  ).count;

describe('the suspension of an organisation', () => {
  it('ends the sessions of all its users at once, and is in its audit log under the operator’s name', async () => {
    const { org_id, token } = await app.registerOrgAdmin();
    const colleagues = [
      await createColleague(app, org_id, 'org_viewer'),
      await createColleague(app, org_id, 'auditor'),
    ];
    const stranger = await app.registerOrgAdmin();
    const { status, body } = await suspend(org_id.toUpperCase());
    expect([status, body]).toEqual([200, { org_id, suspended: true }]);
    for (const each of [token, ...colleagues.map((colleague) => colleague.token)])
      expect(await app.request('GET', '/auth/me', { token: each })).toMatchObject(suspended);
    expect(await countOpenSessions(org_id)).toBe(0);
    expect((await app.request('GET', '/auth/me', { token: stranger.token })).status).toBe(200);
    const acts = await listActs(app, 'orgs.suspended', operator.user_id);
    expect(acts.filter((act) => (act as { org_id: string }).org_id === org_id)).toEqual([
      { actor_user_id: operator.user_id, actor_role: 'platform_admin', member_id: null, org_id, detail: {} },
    ]);
    const read = await app.request('GET', `/operator/organisations/${org_id}`, { token: operator.token });
    expect(read.body.suspended_at).toBe(app.clock.now().toISOString());
    const found = await app.request('GET', `/operator/organisations?id=${org_id}&suspended=true`, {
      token: operator.token,
    });
    expect(found.body.data).toMatchObject([{ id: org_id }]);
    const others = await app.request('GET', `/operator/organisations?id=${org_id}&suspended=false`, {
      token: operator.token,
    });
    expect(others.body.data).toEqual([]);
  });

  it('ends the sessions on other nodes within a second', async () => {
    const other = await startApp(environment, app.sql.settings as TestPostgres);
    const { org_id, token } = await app.registerOrgAdmin();
    expect((await other.request('GET', '/auth/me', { token })).status).toBe(200);
    await suspend(org_id);
    await expect
      .poll(async () => (await other.request('GET', '/auth/me', { token })).body.code)
      .toBe('organisation_suspended');
  });

  it('refuses every way to log in, only to those who have proven who they are, until it is lifted', async () => {
    const sso = await createSsoOrganisation(app);
    const { org_id, admin } = sso;
    const withCode = await createColleague(app, org_id);
    const { secret } = await enableMfa(app, withCode);
    const ticket = await requestTicket(app, { ...withCode, password });
    const { authenticator } = await addTestPasskey(app, admin);
    const refresh_token = (await logIn(admin.email)).cookies['refresh_token']!;
    const email = `new.person@${domain}`;
    await app.sql.run(sql`
      update organisation_domains set verified_at = ${app.clock.now()}, verified_by = 'dns' where domain = ${domain}`);
    await suspend(org_id);

    expect(await logIn(admin.email)).toMatchObject(suspended);
    const wrong = await app.request('POST', '/auth/login', {
      body: { email: admin.email, password: `${password}!` },
    });
    expect(wrong.body.code).toBe('credentials_wrong');
    app.clock.advance(30_000);
    const body = { mfa_ticket: ticket, code: computeTotpCode(secret, app.clock) };
    expect(await app.request('POST', '/auth/mfa/authenticate', { body })).toMatchObject(suspended);
    expect(await logInByPasskey(app, authenticator)).toMatchObject(suspended);
    expect(await app.request('POST', '/auth/refresh', { cookies: { refresh_token } })).toMatchObject(
      suspended,
    );
    expect(await app.request('GET', `/auth/sso/${org_id}/login`)).toMatchObject(suspended);

    expect((await resume(org_id)).body).toEqual({ org_id, suspended: false });
    expect((await logIn(admin.email)).status).toBe(200);
    expect((await logInByPasskey(app, authenticator)).status).toBe(200);
    expect((await completeSsoLogin(app, sso, { email })).status).toBe(200);
    const again = await app.request('POST', '/auth/refresh', { cookies: { refresh_token } });
    expect([again.status, again.body.code]).toEqual([401, 'refresh_token_invalid']);
    expect((await app.request('GET', '/auth/me', { token: admin.token })).status).toBe(401);
  });

  it('refuses a login by single sign-on that began before, and creates no account', async () => {
    const sso = await createSsoOrganisation(app, { email_domains: ['slow.example'] });
    const before = await app.sql.list(sql`select id from users where org_id = ${sso.org_id}`);
    const { id } = await startSsoLogin(app, sso);
    await suspend(sso.org_id);
    const content = { in_response_to: id, email: 'ada@slow.example' };
    const xml = buildResponseXml(sso, app.clock.now(), content);
    const reply = await postResponse(app, sso, signXml(xml, 'Assertion'));
    expect([reply.status, reply.body.code]).toEqual(refused);
    expect(await app.sql.list(sql`select id from users where org_id = ${sso.org_id}`)).toEqual(before);
  });

  it('refuses invitations, which can be accepted after it, and emails none meanwhile', async () => {
    const { org_id, token } = await app.registerOrgAdmin();
    const invited = await createInvitation(app, token);
    const mailed = await readMailedToken(app, invited.email);
    const later = await createInvitation(app, token);
    await suspend(org_id);
    const accept = () =>
      app.request('POST', '/auth/accept-invitation', { body: { token: mailed, password } });
    expect(await accept()).toMatchObject(suspended);
    expect(await app.sql.list(sql`select from users where email = ${invited.email}`)).toEqual([]);
    expect(await readMailedToken(app, later.email)).toBeUndefined();
    await resume(org_id);
    expect((await accept()).status).toBe(201);
  });

  it('is emailed to its administrators who have verified their addresses, and so is its end', async () => {
    const { org_id, email } = await app.registerOrgAdmin();
    const viewer = await createColleague(app, org_id);
    await suspend(org_id);
    await suspend(org_id);
    await resume(org_id);
    await app.drainQueue();
    const mails = (await app.readMails()).filter(({ to }) =>
      [email, viewer.email].some((each) => to.includes(each)),
    );
    expect(mails.map(({ to, subject }) => [to.includes(email), subject])).toEqual([
      [true, 'Your organisation was suspended'],
      [true, 'Your organisation is no longer suspended'],
    ]);
  });

  it('leaves no session of a login at the same time, in any order', async () => {
    const { org_id, email } = await app.registerOrgAdmin();
    const colleagues = await Promise.all([1, 2, 3].map(() => createColleague(app, org_id)));
    for (let round = 0; round < 3; round++) {
      const [, ...logins] = await Promise.all([
        suspend(org_id),
        ...[email, ...colleagues.map((each) => each.email)].map((each) => logIn(each)),
      ]);
      for (const { status, body } of logins)
        expect([200, 403]).toContain(
          status === 403 && body.code !== 'organisation_suspended' ? body : status,
        );
      expect(await countOpenSessions(org_id)).toBe(0);
      await resume(org_id);
    }
  });

  it('and its end change nothing when they are repeated, and work on the command line', async () => {
    const { org_id } = await app.registerOrgAdmin();
    await resume(org_id);
    expect(await changeOrganisationFromCommand(app.platform, { org: org_id }, true)).toEqual({
      org_id,
      suspended: true,
    });
    const since = app.clock.now();
    app.clock.advance(60_000);
    await suspend(org_id);
    const stored = await app.sql.one(sql`select suspended_at from organisations where id = ${org_id}`);
    expect(stored).toEqual({ suspended_at: since });
    await changeOrganisationFromCommand(app.platform, { org: org_id }, false);
    const acts = [...(await listActs(app, 'orgs.suspended')), ...(await listActs(app, 'orgs.resumed'))];
    expect(acts.filter((act) => (act as { org_id: string }).org_id === org_id)).toMatchObject([
      { actor_user_id: null },
      { actor_user_id: null },
    ]);
    await expect(changeOrganisationFromCommand(app.platform, { org: 'x' }, true)).rejects.toMatchObject({
      code: 'organisation_not_found',
    });
  });

  it('is refused for an unknown organisation, a text that is no id, and everybody but a platform administrator', async () => {
    expect((await suspend(unknownId)).body.code).toBe('organisation_not_found');
    expect((await suspend('7')).body.errors[0].pointer).toBe('/org_id');
    const { org_id } = await app.registerOrgAdmin();
    await expectOperatorOnly(app, 'POST', `/operator/organisations/${org_id}/suspend`, {});
  });
});
