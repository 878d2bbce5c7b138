import { expect, test } from 'vitest';
import { startApp, unknownId } from '#test/harness.ts';
import { createProgram, exchangeAssertion, generateSigningKey } from '#test/modules/assertions.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';

const app = await startApp();
const { token } = await app.registerPlatformAdmin();
const [old, next] = [await generateSigningKey(), await generateSigningKey('EdDSA')];

const replace = (id: string, body: object) =>
  app.request('PUT', `/operator/service-keys/${id}/public-key`, { token, body });

test('without overlap, assertions by the old key are refused', async () => {
  const given = { name: 'Monitoring', permissions: ['GET /operator/health'], public_key: old.public_key };
  const { id } = (await app.request('POST', '/operator/service-keys/public', { token, body: given })).body;
  const { status, body } = await replace(id, { public_key: next.public_key, overlap_seconds: 0 });
  expect([status, body.id]).toEqual([200, id]);
  const statuses = [];
  for (const program of [
    createProgram(app, id, old.private_key),
    createProgram(app, id, next.private_key, 'EdDSA'),
  ])
    statuses.push((await exchangeAssertion(app, await program.sign())).status);
  expect(statuses).toEqual([401, 200]);
});

test('refuses unknown keys and bad input', async () => {
  const { public_key } = next;
  expect((await replace(unknownId, { public_key })).body.code).toBe('service_key_not_found');
  expect((await replace(unknownId, { public_key: { kty: 'oct' } })).status).toBe(422);
});

test('only platform administrators may replace one', () =>
  expectOperatorOnly(app, 'PUT', `/operator/service-keys/${unknownId}/public-key`, {
    public_key: next.public_key,
  }));
