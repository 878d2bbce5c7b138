import { generateKeyPairSync, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import * as jose from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { Refusal } from '#lib/refusal.ts';
import { openMemory } from '#platform/instance-memory.ts';
import { openDatabase, sql } from '#platform/database/database.ts';
import { signJws } from '#platform/security/jws.ts';
import {
  listForms,
  readHeader,
  createCredential,
  readPayload,
  registerSharingMember,
  requestRevocation,
  requestVerification,
} from '#test/modules/credentials.ts';
import { alignmentClaim } from '#test/modules/offers.ts';
import { verifyToken } from './verify-token.ts';

const app = await startApp();
const member = await app.registerMember();
const credential = await createCredential(app, member.token);

const getToken = () => credential.formats.attestation_token;
const allPassed = {
  form: 'passed',
  issuer: 'passed',
  signature: 'passed',
  expiry: 'passed',
  revocation: 'passed',
};

/** Signs a payload with the service's own key, so that only the signature is correct. */
const signWithOwnKey = (payload: object, header: Partial<jose.JWTHeaderParameters> = {}) => {
  const key = app.platform.keys.selectActive('credential');
  return signJws(key, { kid: key.kid, typ: 'attestation+jwt', ...header }, payload);
};

describe('verification without logging in', () => {
  it('returns the result of each check and the content of the credential', async () => {
    proves(
      'attestation-verify-endpoint-public',
      'attestation-verify-stateless-es256',
      'attestation-verify-check-revocation-default-true',
    );
    const { status, body } = await requestVerification(app, getToken());
    expect(status).toBe(200);
    expect(body).toEqual({
      valid: true,
      form: 'attestation_token',
      issuer: 'http://localhost:8420',
      checks: allPassed,
      checked_at: app.clock.now().toISOString(),
      credential: {
        credential_id: credential.id,
        credential_type: 'trait_attestation',
        attestation_tier: 'self_attested',
        claims: credential.claims,
        issued_at: credential.issued_at,
        expires_at: credential.expires_at,
      },
    });
  });

  it('shows no member id in any reply, by token or by id', async () => {
    const shared = await registerSharingMember(app);
    const issued = await createCredential(app, shared.token);
    await app.request('PUT', `/credentials/${issued.id}/visibility`, {
      token: shared.token,
      body: { visibility: 'public' },
    });
    const replies = await Promise.all([
      ...listForms(issued).map((form) => requestVerification(app, form)),
      app.request('GET', `/credentials/${issued.id}/verify`),
    ]);
    for (const { body } of replies) {
      expect(body).toMatchObject({ valid: true, credential: { claims: issued.claims } });
      expect(JSON.stringify(body)).not.toContain(shared.member_id);
    }
  });

  it('accepts each of the four forms, repeatedly', async () => {
    for (const form of [...listForms(credential), ...listForms(credential)]) {
      const { body } = await requestVerification(app, form);
      expect(body).toMatchObject({
        valid: true,
        checks: allPassed,
        credential: { credential_id: credential.id },
      });
      expect(body.credential.claims).toEqual(credential.claims);
    }
  });

  it('shows only what the holder of an SD-JWT discloses', async () => {
    const [jws, sub, ...claims] = credential.formats.sd_jwt_vc.split('~');
    const bare = await requestVerification(app, `${jws}~`);
    expect(bare.body).toMatchObject({ valid: true, credential: { claims: {} } });
    const one = await requestVerification(app, `${jws}~${claims[0]}~`);
    expect(one.body).toMatchObject({
      valid: true,
      credential: { claims: { archetype_family: 'craft' } },
    });
    const doubled = await requestVerification(app, `${jws}~${sub}~${sub}~`);
    expect(doubled.body).toMatchObject({ valid: false, checks: { form: 'malformed' } });
    const foreign = (await createCredential(app, member.token)).formats.sd_jwt_vc.split('~')[1]!;
    expect((await requestVerification(app, `${jws}~${foreign}~`)).body).toMatchObject({ valid: false });
  });

  it('requires exactly one token of at most 8,192 characters', async () => {
    proves('attestation-verify-token-required');
    for (const query of ['', '?token=', `?token=${'x'.repeat(8_193)}`, `?token=a&token=b`]) {
      const { status, body } = await app.request('GET', `/credentials/verify${query}`);
      expect([status, body.errors[0].pointer]).toEqual([422, '/token']);
    }
    const { status, body } = await requestVerification(app, getToken(), '&check_revocation=maybe');
    expect([status, body.errors[0].pointer]).toEqual([422, '/check_revocation']);
  });

  it('accepts a credential whose record was deleted or never stored', async () => {
    const gone = await createCredential(app, member.token);
    await app.sql.run(sql`delete from credentials where id = ${gone.id}`);
    expect((await requestVerification(app, gone.formats.attestation_token)).body).toMatchObject({
      valid: true,
      checks: allPassed,
    });
    const neverStored = signWithOwnKey({ ...readPayload(getToken()), jti: randomUUID() });
    expect((await requestVerification(app, neverStored)).body).toMatchObject({
      valid: true,
      checks: allPassed,
    });
  });
});

describe('each failed check is named', () => {
  it('revocation, from the next request on, even if the token was verified before', async () => {
    const revoked = await createCredential(app, member.token);
    const { attestation_token } = revoked.formats;
    for (let times = 0; times < 3; times++)
      expect((await requestVerification(app, attestation_token)).body.valid).toBe(true);
    await requestRevocation(app, member.token, revoked.id);
    expect((await requestVerification(app, attestation_token)).body).toMatchObject({
      valid: false,
      checks: { ...allPassed, revocation: 'revoked' },
    });
  });

  it('revocation is not checked if the caller declines the check', async () => {
    const revoked = await createCredential(app, member.token);
    await requestRevocation(app, member.token, revoked.id);
    expect(
      (await requestVerification(app, revoked.formats.attestation_token, '&check_revocation=false')).body,
    ).toMatchObject({
      valid: true,
      checks: { ...allPassed, revocation: 'not_checked' },
    });
  });

  it('revocation is unknown if the status list does not exist', async () => {
    const payload = readPayload(getToken());
    const uri = payload.status.status_list.uri.replace(/[0-9a-f-]{36}$/, randomUUID());
    const unlisted = signWithOwnKey({ ...payload, status: { status_list: { idx: 1, uri } } });
    expect((await requestVerification(app, unlisted)).body).toMatchObject({
      valid: false,
      checks: { ...allPassed, revocation: 'unknown' },
    });
  });

  it('expiry, even if the token was verified before', async () => {
    const short = await createCredential(app, member.token, { expiry_days: 1 });
    expect((await requestVerification(app, short.formats.attestation_token)).body.valid).toBe(true);
    const before = app.clock.now();
    app.clock.set(new Date(Date.parse(short.expires_at) - 1));
    expect((await requestVerification(app, short.formats.attestation_token)).body.valid).toBe(true);
    app.clock.set(new Date(short.expires_at));
    for (const form of listForms(short))
      expect((await requestVerification(app, form)).body).toMatchObject({
        valid: false,
        checks: { ...allPassed, expiry: 'expired' },
      });
    app.clock.set(before);
  });

  it('a token that is issued in the future is not yet valid', async () => {
    const payload = readPayload(getToken());
    const later = signWithOwnKey({ ...payload, iat: payload.iat + 3_600 });
    expect((await requestVerification(app, later)).body).toMatchObject({
      valid: false,
      checks: { expiry: 'not_yet_valid' },
    });
  });

  it('an unknown issuer is reported, and no content of its token is shown', async () => {
    const payload = { ...readPayload(getToken()), iss: 'https://other.example' };
    for (const foreign of [signWithOwnKey(payload), await signWithForeignKey(payload)])
      expect(await requestVerification(app, foreign)).toMatchObject({
        status: 200,
        body: {
          valid: false,
          issuer: 'https://other.example',
          credential: null,
          checks: {
            form: 'passed',
            issuer: 'unknown',
            signature: 'not_checked',
            expiry: 'not_checked',
            revocation: 'not_checked',
          },
        },
      });
  });

  it('a signature by a foreign key is wrong, whatever the header says', async () => {
    const payload = readPayload(getToken());
    const { kid } = readHeader(getToken());
    for (const header of [
      { kid },
      { kid: randomUUID() },
      { kid: app.platform.keys.selectActive('access_token', 'RS256').kid },
    ])
      expect((await requestVerification(app, await signWithForeignKey(payload, header))).body).toMatchObject({
        valid: false,
        credential: null,
        checks: { issuer: 'passed', signature: 'wrong' },
      });
  });

  it('a header with a key, a key URL or a critical extension is malformed', async () => {
    const payload = readPayload(getToken());
    const { kid } = readHeader(getToken());
    const { publicKey, privateKey } = await jose.generateKeyPair('ES256', { extractable: true });
    const jwk = await jose.exportJWK(publicKey);
    const brought = [
      { jwk },
      { jku: 'https://evil.example' },
      { x5u: 'https://evil.example' },
      { crit: ['exp'], exp: 1 },
    ];
    for (const extra of brought) {
      const forged = await new jose.SignJWT(payload)
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'attestation+jwt', ...extra })
        .sign(privateKey, { crit: { exp: true } });
      expect((await requestVerification(app, forged)).body).toMatchObject({
        valid: false,
        checks: { form: 'malformed' },
      });
    }
  });

  it('alg none, HS256 with the public key as secret, and another typ are malformed', async () => {
    const [, body, signature] = getToken().split('.');
    const encodeHeader = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { kid, typ } = readHeader(getToken());
    const publicJwk = JSON.stringify(app.platform.keys.selectActive('credential').publicJwk);
    const hmac = await new jose.SignJWT(readPayload(getToken()))
      .setProtectedHeader({ alg: 'HS256', kid, typ })
      .sign(Buffer.from(publicJwk));
    const forged = [
      `${encodeHeader({ alg: 'none', kid, typ })}.${body}.`,
      `${encodeHeader({ alg: 'none', kid, typ })}.${body}.${signature}`,
      hmac,
      signWithOwnKey(readPayload(getToken()), { typ: 'jose' }),
      signWithOwnKey(readPayload(getToken()), { typ: 'at+jwt' }),
      member.token,
      ...['', '.', '..', '...', 'a.b.c', '~', '~~~', '💥', 'null', '{}', `${getToken()}.${getToken()}`].map(
        (each) => each || ' ',
      ),
    ];
    for (const each of forged)
      expect(await requestVerification(app, each)).toMatchObject({
        status: 200,
        body: { valid: false, form: null, credential: null, checks: { form: 'malformed' } },
      });
  });

  it('a correct signature over any other payload is malformed', async () => {
    const payload = readPayload(getToken());
    const [alignment] = alignmentClaim;
    const wrong: readonly object[] = [
      {},
      { iss: payload.iss },
      { ...payload, jti: 'x' },
      { ...payload, exp: undefined },
      { ...payload, exp: 'soon' },
      { ...payload, exp: 1e300 },
      { ...payload, iat: -1 },
      { ...payload, credential_type: 'diploma' },
      { ...payload, attestation_tier: 'gold' },
      { ...payload, attestation_tier: 'org_validated' },
      { ...payload, credential_type: 'org_validation', claims: { organisation_name: 'WHO' } },
      { ...payload, claims: { persistence: 0.9 } },
      { ...payload, claims: null },
      { ...payload, claims: { archetype_family: {} } },
      ...[
        alignment,
        [],
        Array(11).fill(alignment),
        [{ ...alignment, targetUrl: 'javascript:alert(1)' }],
        [{ ...alignment, targetName: undefined }],
        [{ ...alignment, targetCode: 7 }],
        [{ ...alignment, level: 'high' }],
        [null],
      ].map((achievement_alignment) => ({
        ...payload,
        credential_type: 'org_validation',
        attestation_tier: 'org_validated',
        claims: { achievement_alignment },
      })),
      { ...payload, sub: 7 },
      { ...payload, status: undefined },
      { ...payload, status: { status_list: { idx: 131_072, uri: payload.status.status_list.uri } } },
      { ...payload, status: { status_list: { idx: 1, uri: 'https://evil.example' } } },
      { ...payload, iss: { deep: true } },
    ];
    for (const each of wrong)
      expect(await requestVerification(app, signWithOwnKey(each))).toMatchObject({
        status: 200,
        body: { valid: false, checks: { form: 'malformed' } },
      });
  });
});

describe('an SD-JWT VC', () => {
  it('verifies with the URL of the issuer and with its DID, and with no mixture of them', async () => {
    const [jws, ...disclosures] = credential.formats.sd_jwt_vc.split('~');
    const [payload, { kid }] = [readPayload(jws!), readHeader(jws!)];
    const sign = (iss: string, key_id: string) =>
      [signWithOwnKey({ ...payload, iss }, { typ: 'dc+sd-jwt', kid: key_id }), ...disclosures].join('~');
    const [url, did] = [payload.iss, credential.issuer];
    const method = `${did}#${kid}`;
    const isValid = async (token: string) => (await requestVerification(app, token)).body.valid;
    expect(await Promise.all([sign(did, method), sign(url, kid)].map(isValid))).toEqual([true, true]);
    const mixed = [sign(did, kid), sign(url, method), sign(did, `did:web:evil.example#${kid}`)];
    expect(await Promise.all(mixed.map(isValid))).toEqual([false, false, false]);
  });
});

describe('a token has one encoding', () => {
  const isValid = async (text: string) =>
    (await verifyToken(app.platform, text, { check_revocation: true })).valid;

  it('changing, deleting or inserting any single character makes it invalid', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~ =+/\n\0é';
    const mutation = fc.record({
      form: fc.constantFrom(...listForms(credential)),
      at: fc.nat(),
      character: fc.constantFrom(...alphabet.split('')),
      kind: fc.constantFrom('change' as const, 'insert' as const, 'delete' as const),
    });
    // Many at once, because an unknown key waits for a database query, and concurrent verifications share one query.
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 100, maxLength: 100 }), async (mutations) => {
        const texts = mutations.map(({ form, at, character, kind }) => {
          const place = at % form.length;
          const rest = form.slice(kind === 'insert' ? place : place + 1);
          return [form, form.slice(0, place) + (kind === 'delete' ? '' : character) + rest] as const;
        });
        const changed = texts.filter(([form, text]) => form !== text);
        expect(await Promise.all(changed.map(([, text]) => isValid(text)))).toEqual(changed.map(() => false));
      }),
      { numRuns: 20, seed: 20_260_302 },
    );
  });

  it('any other last character of any part makes it invalid', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (const form of listForms(credential))
      for (const { index: end } of form.matchAll(/[A-Za-z0-9_-](?=[.~]|$)/g))
        await Promise.all(
          alphabet.split('').map(async (character) => {
            const mutated = form.slice(0, end) + character + form.slice(end + 1);
            expect(await isValid(mutated)).toBe(mutated === form);
          }),
        );
  });

  it('padding, white space and other encodings of the same bytes make it invalid', async () => {
    for (const form of listForms(credential)) {
      const [head, body, rest] = form.split('.') as [string, string, string];
      const variants = [
        `${form}=`,
        `${form}==`,
        ` ${form}`,
        `${form} `,
        `${form}\n`,
        `${form}\r\n`,
        `${head}=.${body}.${rest}`,
        `${head}.${body}==.${rest}`,
        `${head}. ${body}.${rest}`,
        `${head}.${body}.${rest.slice(0, 40)} ${rest.slice(40)}`,
        `${head}.${body}.${rest.slice(0, 40)}\n${rest.slice(40)}`,
        form.replaceAll('-', '+').replaceAll('_', '/') + (/[-_]/.test(form) ? '' : '='),
        encodeURIComponent(form).replaceAll('.', '%2E'),
        `${form}~`.replace('~~', '~~~'),
        `Bearer ${form}`,
        `"${form}"`,
        form.toLowerCase(),
      ];
      for (const each of variants) expect([each === form, await isValid(each)]).toEqual([false, false]);
    }
  });

  it('arbitrary text is invalid and causes no error', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.base64String()),
        async (text) => {
          expect(await isValid(text)).toBe(false);
        },
      ),
      { numRuns: 300, seed: 20_260_302 },
    );
  });
});

it('tokens from before and after a key rotation verify', async () => {
  const older = await createCredential(app, member.token);
  await app.platform.keys.rotate('credential');
  const newer = await createCredential(app, member.token);
  expect(readHeader(newer.formats.attestation_token).kid).not.toBe(
    readHeader(older.formats.attestation_token).kid,
  );
  for (const form of [...listForms(older), ...listForms(credential), ...listForms(newer)])
    expect((await requestVerification(app, form)).body).toMatchObject({ valid: true });
});

describe('a process other than the one that revoked a credential', () => {
  it('rejects the token within two seconds', async () => {
    const database = openDatabase(app.sql.settings, () => undefined);
    const otherProcess = {
      ...app.platform,
      database,
      memory: openMemory(() => ({ ...app.platform, database })),
    };
    const revoked = await createCredential(app, member.token);
    const { attestation_token } = revoked.formats;
    const verifyThere = () => verifyToken(otherProcess, attestation_token, { check_revocation: true });
    expect((await verifyThere()).valid).toBe(true);
    await requestRevocation(app, member.token, revoked.id);
    const at_ms = performance.now() + 2_000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => at_ms);
    expect((await verifyThere()).checks.revocation).toBe('revoked');
    clock.mockRestore();
    await database.close();
  });

  it('fails without the database, unless the caller declines the revocation check', async () => {
    const unavailable = new Refusal('database_unavailable');
    const database = { ...app.sql, list: () => Promise.reject(unavailable) };
    const otherProcess = {
      ...app.platform,
      database,
      memory: openMemory(() => ({ ...app.platform, database })),
    };
    await expect(verifyToken(otherProcess, getToken(), { check_revocation: true })).rejects.toBe(unavailable);
    expect((await verifyToken(otherProcess, getToken(), { check_revocation: false })).valid).toBe(true);
  });
});

it('counts each verification of a genuine credential, by token and by id', async () => {
  const counted = await createCredential(app, member.token);
  for (const form of listForms(counted)) await requestVerification(app, form);
  await app.request('GET', `/credentials/${counted.id}/verify`);
  await requestVerification(app, counted.formats.attestation_token.slice(0, -8));
  const { body } = await app.request('GET', `/credentials/${counted.id}`, { token: member.token });
  expect(body.verifications).toBe(4);
});

async function signWithForeignKey(payload: jose.JWTPayload, header: object = {}): Promise<string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomUUID();
  return new jose.SignJWT(payload)
    .setProtectedHeader({ alg: 'ES256', typ: 'attestation+jwt', kid, ...header })
    .sign(privateKey);
}
