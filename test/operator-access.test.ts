import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createUser } from '#modules/access/accounts';
import { isMfaNeeded } from '#platform/http/row.ts';
import { additionalRows, specifiedRows } from '../src/tables/api.ts';
import { startApp, unknownId, type TestApp } from './harness.ts';
import { computeTotpCode } from './modules/auth.ts';
import { createEmail, password } from './users.ts';
import { createVisitor } from './web/visitor.ts';

const rows = [...specifiedRows, ...additionalRows];
const operatorRows = rows.filter((row) => isMfaNeeded(row, row.operation));

const production = await startApp({
  TESSERA_ENV: 'production',
  TESSERA_MASTER_KEY: randomBytes(32).toString('base64'),
  TESSERA_PUBLIC_URL: 'https://tessera.example',
  TESSERA_PAYMENT_RAIL: 'none',
  TESSERA_RATE_LIMITS: 'on',
});

async function createOperator(app: TestApp): Promise<string> {
  const email = createEmail();
  await createUser(app.platform, {
    email,
    password,
    role: 'platform_admin',
    org_id: undefined,
    name: undefined,
  });
  return email;
}

async function setUpMfa(app: TestApp, token: string): Promise<string> {
  const { body } = await app.request('POST', '/auth/mfa/setup', { token, body: {} });
  const code = computeTotpCode(body.secret, app.clock);
  expect((await app.request('POST', '/auth/mfa/verify', { token, body: { code } })).status).toBe(200);
  app.clock.advance(60_000);
  return body.secret;
}

const host = { host: 'tessera.example' };

test('in production, a platform administrator without MFA reaches nothing but the account, and sets it up there', async () => {
  const email = await createOperator(production);
  const login = await production.request('POST', '/auth/login', { headers: host, body: { email, password } });
  const { access_token: token } = login.body;
  expect(operatorRows.length).toBeGreaterThan(40);
  for (const { method, path } of operatorRows) {
    const address = path.replaceAll(/\{\w+\}/g, unknownId);
    const { status, body } = await production.request(method, address, { token });
    expect([method, path, status, body.code]).toEqual([method, path, 403, 'mfa_required']);
  }
  expect((await production.request('GET', '/auth/me', { token })).status).toBe(200);
  const secret = await setUpMfa(production, token);
  const isServed = async (given: string) =>
    (await production.request('GET', '/operator/organisations', { token: given })).status === 200;
  expect(await isServed(token)).toBe(false);
  const code = computeTotpCode(secret, production.clock);
  const confirmed = await production.request('POST', '/auth/reauthenticate', { token, body: { code } });
  const refreshed = await production.request('POST', '/auth/refresh', { cookies: login.cookies });
  expect([await isServed(confirmed.body.access_token), await isServed(refreshed.body.access_token)]).toEqual([
    true,
    true,
  ]);
});

test('in production, the console leads a platform administrator to the page that turns MFA on, and then serves its pages', async () => {
  const email = await createOperator(production);
  const visitor = createVisitor(production);
  const page = await visitor.open('/sign-in', host);
  await visitor.send(page, 'send', { email, password });
  const older = createVisitor(production);
  const other = await older.send(await older.open('/sign-in', host), 'send', { email, password });
  const asked = await visitor.open('/app/operator');
  expect(asked.address).toBe('/app/account/mfa?notice=mfaNeeded');
  const setUp = await visitor.send(asked, 'begin');
  const [, secret = ''] = /<code>([A-Z2-7]{32})<\/code>/.exec(setUp.html)!;
  await visitor.send(setUp, 'enable', { code: computeTotpCode(secret, production.clock) });
  expect((await visitor.open('/app/operator')).address).toBe('/app/operator');

  // A session that began with the password alone is led to the confirmation by a code.
  expect(other.address).toBe('/app/account/mfa?notice=mfaNeeded');
  const again = await older.open('/app/operator');
  expect(again.address).toContain('/app/account/confirm?continue=/app/operator');
  production.clock.advance(60_000);
  const confirmed = await older.send(again, 'code', { code: computeTotpCode(secret, production.clock) });
  expect(confirmed.address).toBe('/app/operator');
});

test('in development, a platform administrator needs no MFA', async () => {
  const app = await startApp();
  const { token } = await app.registerPlatformAdmin();
  expect((await app.request('GET', '/operator/organisations', { token })).status).toBe(200);
});

test('with networks of the operator, no platform administrator is served from elsewhere, and others are', async () => {
  const app = await startApp({
    TESSERA_OPERATOR_NETWORKS: '10.8.0.0/16,2001:db8:8::/48',
    TESSERA_TRUSTED_PROXIES: '127.0.0.1',
  });
  const email = await createOperator(app);
  const [inside, outside] = ['10.8.3.4', '203.0.113.8'].map((address) => ({ 'x-forwarded-for': address }));
  const logIn = (headers: Record<string, string> | undefined) =>
    app.request('POST', '/auth/login', { body: { email, password }, ...(headers && { headers }) });
  const refused = await logIn(outside);
  expect([refused.status, refused.body.code, refused.cookies]).toEqual([403, 'network_not_allowed', {}]);
  const { body } = await logIn({ 'x-forwarded-for': '2001:db8:8::1' });
  const { access_token: token } = body;
  for (const { method, path } of operatorRows) {
    const address = path.replaceAll(/\{\w+\}/g, unknownId);
    const reply = await app.request(method, address, { token, ...(outside && { headers: outside }) });
    expect([method, path, reply.status, reply.body.code]).toEqual([method, path, 403, 'network_not_allowed']);
  }
  const list = (headers = inside) =>
    app.request('GET', '/operator/organisations', { token, ...(headers && { headers }) });
  expect([(await list()).status, (await list(outside)).status]).toEqual([200, 403]);
  const member = await app.registerMember();
  const own = await app.request('GET', '/auth/me', {
    token: member.token,
    ...(outside && { headers: outside }),
  });
  expect(own.status).toBe(200);
});

test('with networks of the operator, the pages of a platform administrator lead to the login from elsewhere', async () => {
  const app = await startApp({
    TESSERA_OPERATOR_NETWORKS: '10.8.0.0/16',
    TESSERA_TRUSTED_PROXIES: '127.0.0.1',
  });
  const email = await createOperator(app);
  const visitor = createVisitor(app);
  const inside = { 'x-forwarded-for': '10.8.3.4' };
  const page = await visitor.open('/sign-in');
  const refused = await visitor.send(page, 'send', { email, password });
  expect(refused.status).toBe(403);
  const form = { 'content-type': 'application/x-www-form-urlencoded', ...inside };
  await visitor.send(page, 'send', { email, password }, form);
  expect((await visitor.open('/app/operator', inside)).address).toBe('/app/operator');
  expect((await visitor.open('/app/operator')).address).toMatch(/^\/sign-in/);
});
