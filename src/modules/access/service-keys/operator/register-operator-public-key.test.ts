import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createProgram, exchangeAssertion, generateSigningKey } from '#test/modules/assertions.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';
import { callByOperatorKey } from '#test/modules/service-keys.ts';

const app = await startApp();
const { token } = await app.registerPlatformAdmin();
const path = '/operator/service-keys/public';
const { private_key, public_key } = await generateSigningKey();
const given = { name: 'Monitoring', permissions: ['GET /operator/health'], public_key };

test('a program of the operator exchanges an assertion for a token', async () => {
  const { status, body } = await app.request('POST', path, { token, body: given });
  expect([status, body.kind]).toEqual([201, 'public_key']);
  const program = createProgram(app, body.id, private_key);
  const exchanged = await exchangeAssertion(app, await program.sign());
  expect(await callByOperatorKey(app, exchanged.body.access_token)).toEqual([200, undefined]);
});

test('refuses what is no public key, and a private one', async () => {
  for (const bad of [{ kty: 'EC' }, { ...public_key, d: 'AAAA' }]) {
    const { status } = await app.request('POST', path, { token, body: { ...given, public_key: bad } });
    expect(status).toBe(422);
  }
});

test('only platform administrators may register one', () => expectOperatorOnly(app, 'POST', path, given));
