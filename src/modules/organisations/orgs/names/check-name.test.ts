import { expect, test } from 'vitest';
import { recordOperatorProof } from '#modules/organisations/orgs';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createInvitation } from '#test/modules/org-users.ts';
import { createEmail, password } from '#test/users.ts';
import { claimDomains } from '../domains/claim-domains.ts';
import { checkOrganisationName } from './check-name.ts';

const app = await startApp({ TESSERA_PUBLIC_URL: 'https://talent.acme.org' });

const register = (name: string) =>
  app.request('POST', '/auth/register', {
    body: { email: createEmail(), password, name, role: 'org_admin' },
  });
const rename = (token: string, name: string) => app.request('PATCH', '/orgs/me', { token, body: { name } });

async function proveDomain(org_id: string, domain: string) {
  await app.sql.transaction(async (tx) => {
    await claimDomains(tx, { org_id, domains: [domain], now: app.clock.now() });
    await recordOperatorProof(app.platform, tx, { org_id, domain, actor: null });
  });
}

test.each(['Tessera', 'T\u0435ssera', 'TESSERA Support', 'Support Team', 'talent.acme.org'])(
  'an organisation is neither registered nor renamed as %j, and nothing is stored',
  async (name) => {
    const { token } = await app.registerOrgAdmin({ name: 'Harbour Works' });
    const { count } = await app.sql.one(sql<{ count: number }>`select count(*) from users`);
    for (const refused of [await register(name), await rename(token, name)]) {
      expect(['organisation_name_taken', 'field_invalid']).toContain(refused.body.code);
      expect(refused.body.errors[0].pointer).toBe('/name');
    }
    expect((await app.sql.one(sql<{ count: number }>`select count(*) from users`)).count).toBe(count);
    expect((await app.request('GET', '/orgs/me', { token })).body.name).toBe('Harbour Works');
  },
);

test('a member may be called anything', async () => {
  const body = { email: createEmail(), password, name: 'Tessera' };
  expect((await app.request('POST', '/auth/register', { body })).status).toBe(201);
});

test('a name is protected, with all that reads alike, once its organisation has proven a domain', async () => {
  const imitator = await app.registerOrgAdmin({ name: 'Quay Bank' });
  const real = await app.registerOrgAdmin({ name: 'Quay Bank' });
  await createInvitation(app, imitator.token);
  await proveDomain(real.org_id, 'quaybank.org');
  for (const name of ['Quay Bank', 'QUAY-BANK', 'Quáy  Bank', 'Q\u200buay Bank', 'QuayBank.'])
    expect((await register(name)).body.code).toBe('organisation_name_taken');
  const { token } = await app.registerOrgAdmin({ name: 'Elsewhere' });
  expect((await rename(token, 'quay bank')).body.errors[0].pointer).toBe('/name');
  expect((await register('Quay Bakery')).status).toBe(201);
  expect((await rename(real.token, 'Quay BANK')).status).toBe(200);
  // The organisation that had the name before keeps it, and writes to nobody under it.
  const invite = (as: string) =>
    app.request('POST', '/orgs/me/users', { token: as, body: { email: createEmail(), role: 'auditor' } });
  const refused = await invite(imitator.token);
  expect([refused.status, refused.body.code]).toEqual([409, 'organisation_name_taken']);
  expect(refused.body.detail).toContain('prove a domain of yours');
  expect((await invite(real.token)).status).toBe(201);
  await proveDomain(imitator.org_id, 'quay-bank.net');
  expect((await invite(imitator.token)).status).toBe(201);
  const other = await app.registerOrgAdmin({ name: 'Pier Works' });
  await app.sql.run(sql`update organisations set name = 'Quay Bank', name_skeleton = (
    select name_skeleton from organisations where id = ${real.org_id}) where id = ${other.org_id}`);
  expect((await invite(other.token)).body.code).toBe('organisation_name_taken');
  expect((await rename(other.token, 'Pier Bank')).status).toBe(200);
  expect((await invite(other.token)).status).toBe(201);
});

test('a name of whole letters of another alphabet is compared by what it looks like', async () => {
  const real = await app.registerOrgAdmin({ name: 'Coop' });
  await proveDomain(real.org_id, 'coop.org');
  // All of it is Cyrillic.
  expect((await register('Соор')).body.code).toBe('organisation_name_taken');
});

test('an invitation and the member’s page say which domain the organisation has proven', async () => {
  const org = await app.registerOrgAdmin({ name: 'Wharf' });
  const { email } = await createInvitation(app, org.token);
  await app.drainQueue();
  const readMail = async (to: string) =>
    (await app.readMails()).find((mail) => mail.to.includes(to) && mail.text.includes('Wharf'))?.text;
  expect(await readMail(email)).toContain('has not proven to us that an internet domain is its own');
  await proveDomain(org.org_id, 'wharf.org');
  const { email: second } = await createInvitation(app, org.token);
  await app.drainQueue();
  expect(await readMail(second)).toContain('has proven to us that the internet domain wharf.org is its own');
});

test('where reserved names count as proven, several may be called the same, and none may imitate the spelling', async () => {
  const { org_id } = await app.registerOrgAdmin({ name: 'Mole Works' });
  await app.sql.transaction((tx) =>
    claimDomains(tx, { org_id, domains: ['mole.example'], now: app.clock.now() }),
  );
  expect((await register('Mole Works')).status).toBe(201);
  expect((await register('Mo1e Works')).body.code).toBe('organisation_name_taken');
  await proveDomain(org_id, 'mole.example');
  expect((await register('Mole Works')).status).toBe(201);
  const production = { config: { ...app.platform.config, production: true } };
  await expect(checkOrganisationName(production, app.sql, { name: 'Mole Works' })).rejects.toMatchObject({
    code: 'organisation_name_taken',
  });
});
