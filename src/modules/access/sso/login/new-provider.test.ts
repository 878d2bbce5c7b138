import { expect, test } from 'vitest';
import { createCertificate, domain, idp } from '@tessera/saml/testing';
import { createUser } from '#modules/access/accounts';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { buildConfigurationBody, completeSsoLogin, createSsoOrganisation } from '#test/modules/sso.ts';
import { logInAgain, password } from '#test/users.ts';

const hour_ms = 3_600_000;

const app = await startApp();
const ours = await createSsoOrganisation(app);
const email = `admin@${domain}`;
await createUser(app.platform, { email, password, role: 'org_admin', org_id: ours.org_id, name: undefined });

const logIn = async (as = email) => {
  const { status, body } = await completeSsoLogin(app, ours, { email: as });
  return status === 200 ? 'in' : body.code;
};

/** As a thief would: with a session that was proven within the last minutes. */
const configure = async (more: object = {}) => {
  const body = buildConfigurationBody({ ...more });
  const token = await logInAgain(app, ours.admin);
  return app.request('POST', `/orgs/${ours.org_id}/sso/configure`, { token, body });
};

test('a new provider logs no administrator in for a day, and others at once', async () => {
  const listSessions = () =>
    app.sql.list(sql`select from sessions join users on users.id = user_id where email = ${email}`);
  const before = (await listSessions()).length;
  expect([await logIn(), await logIn(`viewer@${domain}`)]).toEqual(['sso_provider_new', 'in']);
  expect(await listSessions()).toHaveLength(before);
  app.clock.advance(24 * hour_ms - 1_000);
  expect(await logIn()).toBe('sso_provider_new');
  app.clock.advance(1_000);
  expect(await logIn()).toBe('in');
});

test('so does one that is changed in whom it trusts, until another day has passed', async () => {
  const thief = createCertificate({ name: 'idp.thief.example' }).certificate;
  for (const more of [
    { idp_certificates: [idp.identity.certificate, thief] },
    { email_domains: [domain, 'other.example'] },
    { allow_idp_initiated: true },
    { idp_sso_url: 'https://other.example/login' },
  ]) {
    await configure();
    app.clock.advance(24 * hour_ms);
    expect(await logIn()).toBe('in');
    const { body } = await configure(more);
    expect(body.administrators_from).toBe(new Date(app.clock.now().getTime() + 24 * hour_ms).toISOString());
    expect([more, await logIn()]).toEqual([more, 'sso_provider_new']);
  }
});

test('being switched off and on again is a change; saving the same again, and trusting less, are not', async () => {
  await configure();
  app.clock.advance(24 * hour_ms);
  const { body } = await configure({ default_role: 'auditor' });
  expect([body.administrators_from, await logIn()]).toEqual([null, 'in']);
  await configure({ enabled: false });
  await configure({ enabled: true });
  expect(await logIn()).toBe('sso_provider_new');
  // Saving again does not shorten the wait.
  app.clock.advance(23 * hour_ms);
  await configure();
  expect(await logIn()).toBe('sso_provider_new');
  app.clock.advance(hour_ms);
  expect(await logIn()).toBe('in');
});

test('all administrators are informed of it, and of a new administrator', async () => {
  await app.drainQueue();
  const count = async (to: string, subject: string) =>
    (await app.readMails()).filter((mail) => mail.to === to && mail.subject === subject).length;
  const [provider, added] = [
    'How your organisation logs in was changed',
    'A new administrator of your organisation',
  ];
  const mailed = [await count(email, provider), await count(ours.admin.email, provider)];
  await configure();
  const token = await logInAgain(app, ours.admin);
  for (const role of ['org_viewer', 'org_admin'])
    await app.request('POST', '/orgs/me/users', { token, body: { email: `new-${role}@example.org`, role } });
  await app.drainQueue();
  for (const [index, to] of [email, ours.admin.email].entries())
    expect([await count(to, provider), await count(to, added)]).toEqual([mailed[index]! + 1, 1]);
  const { body } = await app.request('GET', '/orgs/me/users', { token });
  const viewer = body.data.find((user: { email: string }) => user.email === `viewer@${domain}`);
  await app.request('PATCH', `/orgs/me/users/${viewer.id}`, { token, body: { role: 'org_admin' } });
  await app.drainQueue();
  expect(await count(email, added)).toBe(2);
});
