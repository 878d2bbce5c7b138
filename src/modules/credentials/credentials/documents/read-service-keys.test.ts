import * as jose from 'jose';
import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { rotateSigningKeys } from '#modules/operations/operator';
import { readHeader, createCredential } from '#test/modules/credentials.ts';

const app = await startApp();

const readKeys = () => app.request('GET', '/credentials/.well-known/service-keys.json');

test('anyone can read the public keys, with which a JOSE library verifies attestation tokens', async () => {
  proves('attestation-service-keys-endpoint-public');
  const { status, body } = await readKeys();
  expect([status, body]).toEqual([
    200,
    {
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          x: expect.any(String),
          y: expect.any(String),
          kid: expect.any(String),
          alg: 'ES256',
          use: 'sig',
        },
      ],
    },
  ]);
  const { formats } = await createCredential(app, (await app.registerMember()).token);
  const set = jose.createLocalJWKSet(body);
  const options = {
    issuer: 'http://localhost:8420',
    typ: 'attestation+jwt',
    algorithms: ['ES256'],
    currentDate: app.clock.now(),
  };
  await expect(jose.jwtVerify(formats.attestation_token, set, options)).resolves.toBeDefined();
});

test('after a key rotation the retired keys are still published, and no private key is', async () => {
  const member = await app.registerMember();
  const before = await createCredential(app, member.token);
  await rotateSigningKeys(app.platform);
  const after = await createCredential(app, member.token);
  const { body } = await readKeys();
  const kids = body.keys.map(({ kid }: { kid: string }) => kid);
  for (const { formats } of [before, after])
    expect(kids).toContain(readHeader(formats.attestation_token).kid);
  expect(readHeader(after.formats.attestation_token).kid).not.toBe(
    readHeader(before.formats.attestation_token).kid,
  );
  expect(JSON.stringify(body)).not.toMatch(/"(d|p|q|k)":/);
});
