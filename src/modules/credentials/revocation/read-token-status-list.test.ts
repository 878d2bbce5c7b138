import { getListFromStatusListJWT } from '@sd-jwt/jwt-status-list';
import * as jose from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { nobodys, startApp, type TestApp } from '#test/harness.ts';
import { issued, payloadOf, revoke } from '#test/modules/credentials.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

test('anybody fetches the Status List Token that a token points at, and finds the revoked one in it', async () => {
  const member = await app.member();
  const [kept, revoked] = [await issued(app, member.token), await issued(app, member.token)];
  await revoke(app, member.token, revoked.id);
  const { uri, idx } = payloadOf(revoked.formats.sd_jwt_vc).status.status_list;
  const { status, body, headers } = await app.request('GET', uri.replace('http://localhost:8420', '/'));
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'application/statuslist+jwt',
    'public, max-age=60',
  ]);
  const set = jose.createLocalJWKSet(app.platform.keys.jwks() as jose.JSONWebKeySet);
  const { payload } = await jose.jwtVerify(body, set, {
    typ: 'statuslist+jwt',
    subject: uri,
    currentDate: app.clock.now(),
  });
  expect(payload).toMatchObject({ iss: 'http://localhost:8420', ttl: 60, status_list: { bits: 1 } });
  const list = getListFromStatusListJWT(body);
  const { idx: other } = payloadOf(kept.formats.attestation_token).status.status_list;
  expect([list.getStatus(idx), list.getStatus(other)]).toEqual([1, 0]);
});

test('there is no list behind an id that nothing has', async () => {
  expect(await app.request('GET', `/credentials/token-status-lists/${nobodys}`)).toMatchObject({
    status: 404,
    body: { code: 'status_list_not_found' },
  });
  expect((await app.request('GET', '/credentials/token-status-lists/x')).status).toBe(422);
});
