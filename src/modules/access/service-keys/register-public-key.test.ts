import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { createColleague } from '#test/colleague.ts';
import { startApp } from '#test/harness.ts';
import { generateSigningKey, registerProgram } from '#test/modules/assertions.ts';

const app = await startApp();
const permissions = ['GET /orgs/me/jobs'];

const register = (token: string | undefined, public_key: unknown, changes: object = {}) =>
  app.request('POST', '/orgs/me/service-keys/public', {
    body: { name: 'Payroll', permissions, public_key, ...changes },
    ...(token !== undefined && { token }),
  });

test('a public key is listed with the ending of its thumbprint, and has no secret', async () => {
  const { token } = await app.registerOrgAdmin();
  const { public_key } = await generateSigningKey();
  const { status, body } = await register(token, { ...public_key, kid: 'ours', alg: 'ES256', use: 'sig' });
  expect([status, body.kind, 'key' in body]).toEqual([201, 'public_key', false]);
  const { data } = (await app.request('GET', '/orgs/me/service-keys', { token })).body;
  expect(data).toMatchObject([{ id: body.id, kind: 'public_key', hint: body.hint, permissions }]);
  expect(body.hint).toMatch(/^[\w-]{4}$/);
  const rotated = await app.request('POST', `/orgs/me/service-keys/${body.id}/rotate`, { token, body: {} });
  expect(rotated.body.code).toBe('service_key_not_found');
});

test('private keys, short keys, foreign curves and damaged keys are refused with the field', async () => {
  const { token } = await app.registerOrgAdmin();
  const { public_key } = await generateSigningKey();
  const short = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey.export({ format: 'jwk' });
  const refused = [
    { ...public_key, d: public_key.x },
    { ...public_key, crv: 'P-384' },
    { ...public_key, x: 'AAAA' },
    { kty: 'oct', k: 'AAAA' },
    { kty: 'EC' },
    short,
    'a text',
  ];
  for (const each of refused) {
    const { status, body } = await register(token, each);
    expect([status, body.errors[0].pointer.split('/')[1]]).toEqual([422, 'public_key']);
  }
  expect((await app.request('GET', '/orgs/me/service-keys', { token })).body.data).toEqual([]);
});

test('rows that only a person may call, viewers and strangers are refused', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const { public_key } = await generateSigningKey();
  const personal = await register(token, public_key, { permissions: ['POST /webhooks/'] });
  expect([personal.status, personal.body.errors[0].pointer]).toEqual([422, '/permissions/0']);
  const viewer = await createColleague(app, org_id, 'org_viewer');
  expect((await register(viewer.token, public_key)).body.code).toBe('role_not_allowed');
  expect((await register(undefined, public_key)).status).toBe(401);
  await registerProgram(app, token);
  app.clock.advance(901_000);
  expect((await register(token, public_key)).body.code).toBe('recent_authentication_required');
});
