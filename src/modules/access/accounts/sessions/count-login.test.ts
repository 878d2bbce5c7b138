import { expect, test } from 'vitest';
import { domain } from '@tessera/saml/testing';
import { Refusal } from '#lib/refusal.ts';
import { openMetrics } from '#platform/telemetry/metrics.ts';
import { startApp } from '#test/harness.ts';
import { computeTotpCode, enableMfa, requestTicket } from '#test/modules/auth.ts';
import { completeSsoLogin, createSsoOrganisation, postResponse } from '#test/modules/sso.ts';
import { countLogin } from './count-login.ts';

const app = await startApp();

type Counts = Readonly<Record<string, number>>;

async function readCounts(metrics = app.platform.metrics): Promise<Counts> {
  const line = /^tessera_logins_total\{method="(\w+)",outcome="(\w+)"\} (\d+)$/gm;
  const found = [...(await metrics.formatText()).matchAll(line)];
  return Object.fromEntries(
    found.map(([, method, outcome, count]) => [`${method} ${outcome}`, Number(count)]),
  );
}

/** Runs work, and returns the counts that it has changed, with their increase. */
async function countIncreases(work: () => Promise<unknown>): Promise<Counts> {
  const before = await readCounts();
  await work();
  const after = Object.entries(await readCounts());
  return Object.fromEntries(
    after.map(([name, count]) => [name, count - before[name]!] as const).filter(([, more]) => more > 0),
  );
}

test('counts passwords that were right and wrong', async () => {
  const { email, password } = await app.registerMember();
  const logIn = (body: object) => app.request('POST', '/auth/login', { body });
  const counts = await countIncreases(async () => {
    for (const each of [password, `${password}x`, `${password}y`]) await logIn({ email, password: each });
    await logIn({ email: 'nobody@example.org', password });
    // Not a login: the request is malformed.
    await logIn({ email });
  });
  expect(counts).toEqual({ 'password succeeded': 1, 'password failed': 3 });
});

test('counts the two steps of a login with MFA separately', async () => {
  const member = await app.registerMember();
  const { secret } = await enableMfa(app, member);
  const counts = await countIncreases(async () => {
    const mfa_ticket = await requestTicket(app, member);
    const authenticate = (code: string) =>
      app.request('POST', '/auth/mfa/authenticate', { body: { mfa_ticket, code } });
    await authenticate('not a code');
    app.clock.advance(60_000);
    await authenticate(computeTotpCode(secret, app.clock));
  });
  expect(counts).toEqual({ 'password succeeded': 1, 'code failed': 1, 'code succeeded': 1 });
});

test('counts logins through an identity provider', async () => {
  const organisation = await createSsoOrganisation(app);
  const counts = await countIncreases(async () => {
    await completeSsoLogin(app, organisation, { email: `ada@${domain}` });
    await postResponse(app, organisation, '<not a response/>');
  });
  expect(counts).toEqual({ 'sso succeeded': 1, 'sso failed': 1 });
});

test('counts neither defects nor an overloaded service as failed logins', async () => {
  const metrics = openMetrics();
  for (const error of [new Error('a defect'), new Refusal('overloaded')])
    await expect(countLogin({ metrics }, 'password', () => Promise.reject(error))).rejects.toBe(error);
  expect((await readCounts(metrics))['password failed']).toBe(0);
});
