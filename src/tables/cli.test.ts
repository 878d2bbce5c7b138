import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import {
  createCredential,
  listForms,
  readHeader,
  readPayload,
  requestRevocation,
  requestVerification,
  type IssuedCredential,
} from '#test/modules/credentials.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { formatKind, revokeSigningKey, rotateSigningKeys } from '#modules/operations/operator';

const listAudited = (app: TestApp, action: string) =>
  app.sql.list(sql`select actor_user_id, detail from audit_log where action = ${action}`);

/** The credential as its member reads it now. */
const readAgain = async (app: TestApp, token: string, { id }: IssuedCredential) =>
  (await app.request('GET', `/credentials/${id}`, { token })).body as IssuedCredential;

const readPublishedKids = async (app: TestApp) => {
  const [service, all, did] = await Promise.all([
    app.request('GET', '/credentials/.well-known/service-keys.json'),
    app.request('GET', '//.well-known/jwks.json'),
    app.request('GET', '//.well-known/did.json'),
  ]);
  const listKids = (keys: readonly { kid: string }[]) => keys.map(({ kid }) => kid);
  return {
    service: listKids(service.body.keys),
    all: listKids(all.body.keys),
    did: JSON.stringify(did.body),
  };
};

test('a rotation replaces the keys of access tokens and of credentials, and records the new ids in the audit log', async () => {
  const app = await startApp();
  const before = new Set(app.platform.keys.list().map(({ kid }) => kid));
  const rotated = await rotateSigningKeys(app.platform);
  const { keys } = app.platform;
  const kids = Object.fromEntries(rotated.map((key) => [formatKind(key), key.kid]));
  expect(kids).toEqual({
    access_token_es256: keys.selectActive('access_token').kid,
    access_token_rs256: keys.selectActive('access_token', 'RS256').kid,
    credential_es256: keys.selectActive('credential').kid,
  });
  expect(rotated.some(({ kid }) => before.has(kid))).toBe(false);
  expect(await listAudited(app, 'keys.rotated')).toEqual([{ actor_user_id: null, detail: kids }]);
});

test('service-keys.json lists the keys of credentials, jwks.json those of access tokens as well, the retired ones for a token’s life', async () => {
  const app = await startApp();
  const { keys } = app.platform;
  const credential = [keys.selectActive('credential').kid];
  const tokens = [keys.selectActive('access_token').kid, keys.selectActive('access_token', 'RS256').kid];
  const first = await readPublishedKids(app);
  expect(first).toMatchObject({ service: credential });
  expect(first.all.toSorted()).toEqual([...credential, ...tokens].toSorted());
  await rotateSigningKeys(app.platform);
  app.clock.advance(21_600_000);
  expect((await readPublishedKids(app)).all).toEqual(expect.arrayContaining([...credential, ...tokens]));
  app.clock.advance(60_001);
  const later = await readPublishedKids(app);
  expect(later.all).toEqual(expect.arrayContaining(credential));
  for (const kid of tokens) expect(later.all).not.toContain(kid);
  expect(later.service).toHaveLength(2);
});

test('nothing that a revoked key signed verifies, and what is stored is signed again with the active key', async () => {
  const app = await startApp();
  const { token } = await app.registerMember();
  const kept = await createCredential(app, token);
  const taken_back = await createCredential(app, token);
  await requestRevocation(app, token, taken_back.id);
  const { kid } = app.platform.keys.selectActive('credential');
  for (const form of listForms(kept)) expect((await requestVerification(app, form)).body.valid).toBe(true);

  const result = await revokeSigningKey(app.platform, kid);
  const active_kid = app.platform.keys.selectActive('credential').kid;
  expect(result).toEqual({ kid, purpose: 'credential', active_kid });
  expect(active_kid).not.toBe(kid);
  expect(await listAudited(app, 'keys.revoked')).toEqual([{ actor_user_id: null, detail: result }]);
  for (const form of listForms(kept))
    expect((await requestVerification(app, form)).body).toMatchObject({
      valid: false,
      checks: { signature: 'key_revoked', expiry: 'not_checked', revocation: 'not_checked' },
      credential: null,
    });
  const published = await readPublishedKids(app);
  expect([...published.service, ...published.all]).not.toContain(kid);
  expect(published.did).not.toContain(kid);

  await app.drainQueue();
  const renewed = await readAgain(app, token, kept);
  expect({ ...renewed, formats: null, verifications: 0 }).toEqual({ ...kept, formats: null });
  for (const form of listForms(renewed)) {
    expect(readHeader(form).kid).toContain(active_kid);
    expect((await requestVerification(app, form)).body.valid).toBe(true);
  }
  expect(readPayload(renewed.formats.vc_jwt)).toEqual(readPayload(kept.formats.vc_jwt));
  const list = await app.request('GET', readListPath(renewed));
  expect(readHeader(list.body).kid).toContain(active_kid);
  const ended = await readAgain(app, token, taken_back);
  expect((await requestVerification(app, ended.formats.vc_jwt)).body.checks).toMatchObject({
    signature: 'passed',
    revocation: 'revoked',
  });
});

const readListPath = ({ formats }: IssuedCredential): string =>
  readPayload(formats.vc_jwt).credentialStatus.statusListCredential.split('/api/v1')[1];

test('the renewal leaves what other keys signed as it is, and revoking again renews nothing twice', async () => {
  const app = await startApp();
  const { token } = await app.registerMember();
  const old = await createCredential(app, token);
  const { kid } = app.platform.keys.selectActive('credential');
  await rotateSigningKeys(app.platform);
  const recent = await createCredential(app, token);
  await revokeSigningKey(app.platform, kid);
  await app.drainQueue();
  const renewed = await readAgain(app, token, old);
  expect(renewed.formats.vc_jwt).not.toBe(old.formats.vc_jwt);
  expect((await readAgain(app, token, recent)).formats).toEqual(recent.formats);
  await revokeSigningKey(app.platform, kid);
  await app.drainQueue();
  expect((await readAgain(app, token, old)).formats).toEqual(renewed.formats);
});

test('an access token of a revoked key is refused at once, and its session continues with the refresh token', async () => {
  const app = await startApp();
  const { token, email, password } = await app.registerMember();
  const login = await app.request('POST', '/auth/login', { body: { email, password } });
  expect((await app.request('GET', '/auth/me', { token })).status).toBe(200);
  const { kid } = app.platform.keys.selectActive('access_token');
  const active_kid = (await revokeSigningKey(app.platform, kid))?.active_kid;
  expect((await app.request('GET', '/auth/me', { token })).body.code).toBe('token_invalid');
  const refreshed = await app.request('POST', '/auth/refresh', { cookies: login.cookies });
  expect(refreshed.status).toBe(200);
  expect(readHeader(refreshed.body.access_token).kid).toBe(active_kid);
  expect((await app.request('GET', '/auth/me', { token: refreshed.body.access_token })).status).toBe(200);
});

test('an unknown key is not revoked', async () => {
  const app = await startApp();
  expect(await revokeSigningKey(app.platform, 'made-up')).toBeUndefined();
});

test('if the audit log cannot be written, no key is rotated or revoked, and no renewal is queued', async () => {
  const app = await startApp();
  const readState = () =>
    app.sql.list(sql`select kid, retired_at, revoked_at from signing_keys order by kid`);
  const before = await readState();
  await app.sql.run(sql`alter table audit_log add constraint full_disk check (action not like 'keys.%')`);
  const { kid } = app.platform.keys.selectActive('credential');
  await expect(rotateSigningKeys(app.platform)).rejects.toThrow(/full_disk/);
  await expect(revokeSigningKey(app.platform, kid)).rejects.toThrow(/full_disk/);
  expect(await readState()).toEqual(before);
  expect(app.platform.keys.selectActive('credential').kid).toBe(kid);
  expect(await app.sql.list(sql`select id from tasks where name like '%renewCredentials'`)).toEqual([]);
});
