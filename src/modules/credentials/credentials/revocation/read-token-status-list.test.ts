import { getListFromStatusListJWT } from '@sd-jwt/jwt-status-list';
import * as jose from 'jose';
import { expect, test } from 'vitest';
import { listCredentialKeys } from '#platform/security/published-keys.ts';
import { unknownId, startApp } from '#test/harness.ts';
import { createCredential, readPayload, requestRevocation } from '#test/modules/credentials.ts';

const app = await startApp();

test('anyone can fetch the Status List Token to which a token refers, with the revoked credential marked', async () => {
  const member = await app.registerMember();
  const [active, revoked] = [
    await createCredential(app, member.token),
    await createCredential(app, member.token),
  ];
  await requestRevocation(app, member.token, revoked.id);
  const { uri, idx } = readPayload(revoked.formats.sd_jwt_vc).status.status_list;
  const { status, body, headers } = await app.request('GET', uri.replace('http://localhost:8420', '/'));
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'application/statuslist+jwt',
    'public, max-age=60',
  ]);
  const set = jose.createLocalJWKSet({ keys: [...listCredentialKeys(app.platform)] });
  const { payload } = await jose.jwtVerify(body, set, {
    typ: 'statuslist+jwt',
    subject: uri,
    currentDate: app.clock.now(),
  });
  expect(payload).toMatchObject({ iss: 'http://localhost:8420', ttl: 60, status_list: { bits: 1 } });
  const list = getListFromStatusListJWT(body);
  const { idx: other } = readPayload(active.formats.attestation_token).status.status_list;
  expect([list.getStatus(idx), list.getStatus(other)]).toEqual([1, 0]);
});

test('an unknown list is not found', async () => {
  expect(await app.request('GET', `/credentials/token-status-lists/${unknownId}`)).toMatchObject({
    status: 404,
    body: { code: 'status_list_not_found' },
  });
  expect((await app.request('GET', '/credentials/token-status-lists/x')).status).toBe(422);
});
