import { globSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { claimDomains, recordOperatorProof } from '#modules/organisations/orgs';
import { sql } from '#platform/database/database.ts';
import { computeNameSkeleton } from '#lib/text/look-alikes.ts';
import { startApp } from './harness.ts';
import { recordSoldRead } from './modules/books.ts';
import { createCredential } from './modules/credentials.ts';
import { createMatch, createPlacement, type TestMatch } from './modules/feedback.ts';
import { allowAgent } from './modules/grants.ts';
import {
  buildAuthorizeUrl,
  createBrowser,
  createChallenge,
  decide,
  logInBrowser,
  registerClient,
  startInteraction,
  visit,
} from './modules/oauth.ts';
import type { TestUser } from './users.ts';

/*
 * Anyone can choose a name for an organisation or for a program. Wherever people read it, one that would be taken for this service, or for an organisation that
 * has proven a domain, is never shown by itself.
 */
const app = await startApp();
const { publicUrl } = app.platform.config;

const get = async (path: string, token: string) => {
  const { status, body } = await app.request('GET', path, { token });
  expect([path, status]).toEqual([path, 200]);
  return JSON.stringify(body);
};

async function openBrowser({ email, password }: TestUser) {
  const browser = createBrowser();
  const { cookies } = await app.request('POST', '/auth/login', { body: { email, password } });
  logInBrowser(app, browser, cookies['refresh_token']!);
  return browser;
}

const open = async (path: string, user: TestUser) => {
  const { status, body } = await visit(app, await openBrowser(user), path);
  expect([path, status]).toEqual([path, 200]);
  return String(body);
};

const readMails = async ({ email }: Pick<TestUser, 'email'>) => {
  await app.drainQueue();
  const mails = (await app.readMails()).filter(({ to }) => to === email);
  return mails.map(({ subject, text }) => `${subject}\n${text}`);
};

async function rename(org_id: string, name: string) {
  const skeleton = computeNameSkeleton(name);
  await app.sql.run(
    sql`update organisations set name = ${name}, name_skeleton = ${skeleton} where id = ${org_id}`,
  );
}

async function proveDomain(org_id: string, domain: string) {
  await app.sql.transaction(async (tx) => {
    await claimDomains(tx, { org_id, domains: [domain], now: app.clock.now() });
    await recordOperatorProof(app.platform, tx, { org_id, domain, actor: null });
  });
}

describe('an organisation that had the name before another one proved its domain', () => {
  let match: TestMatch;
  let proposed: TestMatch;
  beforeAll(async () => {
    match = await createPlacement(app);
    proposed = await createMatch(app);
    for (const { org_id } of [match.org, proposed.org]) await rename(org_id, 'Quáy Bank');
    const { org_id } = match.org;
    await recordSoldRead(app, match.member.member_id, { org_id, gross: 250_000n });
    const { org_id: real } = await app.registerOrgAdmin({ name: 'Quay Bank' });
    await proveDomain(real, 'quaybank.org');
  });

  const places: readonly (readonly [string, () => Promise<string>])[] = [
    ['the list of matches', () => get('/members/me/matches', match.member.token)],
    ['the job of a match', () => get(`/matches/${match.match_id}/job`, match.member.token)],
    ['the contact', () => get(`/matches/${match.match_id}/contact`, match.member.token)],
    ['the history of reads', () => get('/orgs/queries/earnings/history', match.member.token)],
    ['the page of matches', () => open('/app/matches', match.member)],
    ['the page of a match', () => open(`/app/matches/${match.match_id}`, match.member)],
    ['the page of a review', () => open(`/app/matches/${match.match_id}/review`, match.member)],
    ['the page of income', () => open('/app/income', match.member)],
    [
      'a credential',
      async () => {
        const { token } = await app.registerPlatformAdmin();
        const { member_id } = match.member;
        const type = { credential_type: 'placement_attestation', attestation_tier: 'platform_verified' };
        return JSON.stringify(await createCredential(app, token, { member_id, ...type, claims: {} }));
      },
    ],
    [
      'an email about a match',
      async () => {
        const { match_id, org, member } = proposed;
        const body = { status: 'org_interested' };
        await app.request('PUT', `/matches/${match_id}/status`, { token: org.token, body });
        return (await readMails(member)).join('\n');
      },
    ],
  ];

  test.each(places)('%s says that it has proven no domain', async (_, read) => {
    const text = await read();
    const named = [...text.matchAll(/Qu[aá]y Bank(?<after>[^<"\n]{0,30})/gu)];
    expect(named.length).toBeGreaterThan(0);
    for (const { groups } of named) expect(groups!['after']).toContain('(no proven domain)');
  });

  test('it has its domain before its name once it has proven one itself', async () => {
    await proveDomain(match.org.org_id, 'quay-bank.net');
    const list = await get('/members/me/matches', match.member.token);
    expect(list).toContain('quay-bank.net (Quáy Bank)');
  });
});

test('an organisation cannot be called by the domain of another one', async () => {
  const { org_id } = await app.registerOrgAdmin({ name: 'Pier Bank' });
  await proveDomain(org_id, 'pierbank.org');
  const { token } = await app.registerOrgAdmin();
  const rename = (name: string) => app.request('PATCH', '/orgs/me', { token, body: { name } });
  for (const name of ['pierbank.org', 'Pay.PierBank . org', 'pierbank.org (Pier Bank)'])
    expect((await rename(name)).body.code).toBe('organisation_name_taken');
  expect((await rename('pierbank.net')).status).toBe(200);
});

describe('a program', () => {
  beforeAll(async () => {
    const { org_id } = await app.registerOrgAdmin({ name: 'Wharf Bank' });
    await proveDomain(org_id, 'wharfbank.org');
  });

  test.each([
    ['Tessera Support', 'https://client.example/callback', 'client.example'],
    ['Wharf-Bank', 'https://client.example/callback', 'client.example'],
    ['wharfbank.org', 'https://client.example/callback', 'client.example'],
    ['Wh\u0430rf Bank', 'https://client.example/callback', 'client.example'],
    ['Support', 'http://127.0.0.1/callback', '127.0.0.1'],
    ['Tessera', 'tessera-support://callback', 'an unnamed program'],
  ])('that calls itself %s and returns to %s is called %s everywhere', async (name, redirect_uri, shown) => {
    const member = await app.registerMember();
    const client_id = await registerClient(app, { client_name: name, redirect_uris: [redirect_uri] });
    const browser = createBrowser();
    const url = buildAuthorizeUrl(app, client_id, createChallenge(), { redirect_uri });
    const uid = await startInteraction(app, browser, url);
    const cookies = { 'tessera-interaction': uid };
    const arrival = String((await visit(app, browser, `${publicUrl}/oauth/interaction/${uid}`)).body);
    const session = (await openBrowser(member)).cookies;
    session.forEach((cookie, key) => browser.cookies.set(key, cookie));
    const consent = String((await visit(app, browser, `${publicUrl}/oauth/interaction/${uid}`)).body);
    for (const page of [arrival, consent]) {
      expect(page).toContain(shown);
      expect(page).toContain('We show no name');
      expect(page).not.toContain(`“${name}”`);
    }
    expect(arrival).toContain(`Connect ${shown}?`);
    expect(consent).toContain(`What may ${shown} do?`);
    const { body } = await app.request('GET', `/oauth/interactions/${uid}`, { token: member.token, cookies });
    expect(body.client).toMatchObject({ name: shown, is_named: false });
    await decide(app, { token: member.token, uid });
    const { data } = (await app.request('GET', '/auth/grants', { token: member.token })).body;
    expect(data[0].client_name).toBe(shown);
    expect(await open('/app/agents', member)).toContain(`<h2>${shown}</h2>`);
    const mail = (await readMails(member)).find((text) => text.includes('agent'))!;
    expect(mail).toContain('It has no name that could be shown and sent you back to');
    expect(mail).not.toContain('calls itself');
  });

  test('whose name an organisation has made its own since is called by its host from then on', async () => {
    const member = await app.registerOrgAdmin();
    const client = {
      id: 'https://agent.example/client.json',
      name: 'Jetty Bank',
      redirect_host: 'localhost:7777',
    };
    const grant_id = await allowAgent(app, member, { client });
    const readName = async () =>
      (await app.request('GET', '/auth/grants', { token: member.token })).body.data[0].client_name;
    expect(await readName()).toBe('Jetty Bank');
    const { org_id } = await app.registerOrgAdmin({ name: 'Jetty Bank' });
    await proveDomain(org_id, 'jettybank.org');
    expect(await readName()).toBe('agent.example');
    const path = `/auth/grants/${grant_id}`;
    const changed = await app.request('PATCH', path, { token: member.token, body: { spend_cap: 7 } });
    expect(changed.body.client_name).toBe('agent.example');
    const page = await open(`/app/agents/${grant_id}/limit`, member);
    expect([page.includes('agent.example'), page.includes('Jetty Bank')]).toEqual([true, false]);
  });
});

test('the name of an organisation is read as others read it, except by itself and by the operator', () => {
  const files = globSync('src/{modules,web}/**/*.ts').filter(
    (file) => !/\.test\.ts$|^src\/modules\/organisations\/orgs\//.test(file),
  );
  const readers = files.filter((file) =>
    /\b(?:findOrganisation|listOrganisations)\((?:.|\n)*\borganisations?\??\.name\b|\.find\(\(\{ id \}\) => id === account\.org_id\)\?\.name/.test(
      readFileSync(file, 'utf8'),
    ),
  );
  expect(readers.filter((file) => !ownNames.has(file))).toEqual([]);
});

/** Where an organisation reads its own name, or the operator any. */
const ownNames: ReadonlySet<string> = new Set([
  'src/modules/income/books/balances/export-statement.ts',
  'src/modules/income/reads/receipts/export-organisation-receipt.ts',
  'src/modules/operations/exports/match-report/export-match-report.ts',
  'src/modules/operations/exports/organisation-access.ts',
  'src/modules/operations/operator/accounts/name-accounts.ts',
]);
