import { generateKeyPairSync, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import * as jose from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import type { TestMember } from '#test/users.ts';
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
  requestRevocation,
  requestVerification,
  type IssuedCredential,
} from '#test/modules/credentials.ts';
import { verifyToken } from './verify-token.ts';

let app: TestApp;
let member: TestMember;
let credential: IssuedCredential;
beforeAll(async () => {
  app = await startApp();
  member = await app.registerMember();
  credential = await createCredential(app, member.token);
});

const token = () => credential.formats.attestation_token;
const allPassed = {
  form: 'passed',
  issuer: 'passed',
  signature: 'passed',
  expiry: 'passed',
  revocation: 'passed',
};

/** What our own key would sign: only the signature is right. */
const selfSigned = (payload: object, header: Partial<jose.JWTHeaderParameters> = {}) => {
  const key = app.platform.keys.selectActive('ES256');
  return signJws(key, { kid: key.kid, typ: 'attestation+jwt', ...header }, payload);
};

describe('a token is verified without anybody signing in', () => {
  it('says what was checked and what the credential says', async () => {
    proves(
      'attestation-verify-endpoint-public',
      'attestation-verify-stateless-es256',
      'attestation-verify-check-revocation-default-true',
    );
    const { status, body } = await requestVerification(app, token());
    expect(status).toBe(200);
    expect(body).toEqual({
      valid: true,
      form: 'attestation_token',
      issuer: 'http://localhost:8420',
      checks: allPassed,
      checked_at: app.clock.now().toISOString(),
      credential: {
        credential_id: credential.id,
        subject: `urn:uuid:${member.member_id}`,
        credential_type: 'trait_attestation',
        attestation_tier: 'self_attested',
        claims: credential.claims,
        issued_at: credential.issued_at,
        expires_at: credential.expires_at,
      },
    });
  });

  it('takes each of the three forms, again and again', async () => {
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

  it('shows of an SD-JWT what its holder discloses, and nothing else', async () => {
    const [jws, sub, ...claims] = credential.formats.sd_jwt_vc.split('~');
    const bare = await requestVerification(app, `${jws}~`);
    expect(bare.body).toMatchObject({ valid: true, credential: { subject: null, claims: {} } });
    const one = await requestVerification(app, `${jws}~${claims[0]}~`);
    expect(one.body).toMatchObject({
      valid: true,
      credential: { subject: null, claims: { archetype_family: 'craft' } },
    });
    const doubled = await requestVerification(app, `${jws}~${sub}~${sub}~`);
    expect(doubled.body).toMatchObject({ valid: false, checks: { form: 'malformed' } });
    const foreign = (await createCredential(app, member.token)).formats.sd_jwt_vc.split('~')[1]!;
    expect((await requestVerification(app, `${jws}~${foreign}~`)).body).toMatchObject({ valid: false });
  });

  it('needs a token, and no more of it than any token of ours has', async () => {
    proves('attestation-verify-token-required');
    for (const query of ['', '?token=', `?token=${'x'.repeat(8_193)}`, `?token=a&token=b`]) {
      const { status, body } = await app.request('GET', `/credentials/verify${query}`);
      expect([status, body.errors[0].pointer]).toEqual([422, '/token']);
    }
    const { status, body } = await requestVerification(app, token(), '&check_revocation=maybe');
    expect([status, body.errors[0].pointer]).toEqual([422, '/check_revocation']);
  });

  it('holds for a credential whose record was never stored, or is gone', async () => {
    const gone = await createCredential(app, member.token);
    await app.sql.run(sql`delete from credentials where id = ${gone.id}`);
    expect((await requestVerification(app, gone.formats.attestation_token)).body).toMatchObject({
      valid: true,
      checks: allPassed,
    });
    const neverStored = selfSigned({ ...readPayload(token()), jti: randomUUID() });
    expect((await requestVerification(app, neverStored)).body).toMatchObject({
      valid: true,
      checks: allPassed,
    });
  });
});

describe('each check fails by its name', () => {
  it('revocation, from the next request on, however often the token was verified before', async () => {
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

  it('revocation is not looked at where nobody asks for it', async () => {
    const revoked = await createCredential(app, member.token);
    await requestRevocation(app, member.token, revoked.id);
    expect(
      (await requestVerification(app, revoked.formats.attestation_token, '&check_revocation=false')).body,
    ).toMatchObject({
      valid: true,
      checks: { ...allPassed, revocation: 'not_checked' },
    });
  });

  it('revocation is unknown where there is no such list', async () => {
    const payload = readPayload(token());
    const uri = payload.status.status_list.uri.replace(/[0-9a-f-]{36}$/, randomUUID());
    const strange = selfSigned({ ...payload, status: { status_list: { idx: 1, uri } } });
    expect((await requestVerification(app, strange)).body).toMatchObject({
      valid: false,
      checks: { ...allPassed, revocation: 'unknown' },
    });
  });

  it('expiry, also of a token that was verified before', async () => {
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

  it('a token of the future is not valid yet', async () => {
    const payload = readPayload(token());
    const later = selfSigned({ ...payload, iat: payload.iat + 3_600 });
    expect((await requestVerification(app, later)).body).toMatchObject({
      valid: false,
      checks: { expiry: 'not_yet_valid' },
    });
  });

  it('an unknown issuer is an answer, and nothing of its token is believed', async () => {
    const payload = { ...readPayload(token()), iss: 'https://other.example' };
    for (const foreign of [selfSigned(payload), await signedElsewhere(payload)])
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

  it('a foreign key under our name is a wrong signature, whatever its header says', async () => {
    const payload = readPayload(token());
    const { kid } = readHeader(token());
    for (const header of [
      { kid },
      { kid: randomUUID() },
      { kid: app.platform.keys.selectActive('RS256').kid },
    ])
      expect((await requestVerification(app, await signedElsewhere(payload, header))).body).toMatchObject({
        valid: false,
        credential: null,
        checks: { issuer: 'passed', signature: 'wrong' },
      });
  });

  it('a header that brings a key, or names another algorithm, makes no token of ours', async () => {
    const payload = readPayload(token());
    const { kid } = readHeader(token());
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

  it('alg none, HS256 with the public key as secret, and another type are malformed', async () => {
    const [, body, signature] = token().split('.');
    const header = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { kid, typ } = readHeader(token());
    const publicJwk = JSON.stringify(app.platform.keys.selectActive('ES256').publicJwk);
    const hmac = await new jose.SignJWT(readPayload(token()))
      .setProtectedHeader({ alg: 'HS256', kid, typ })
      .sign(Buffer.from(publicJwk));
    const forged = [
      `${header({ alg: 'none', kid, typ })}.${body}.`,
      `${header({ alg: 'none', kid, typ })}.${body}.${signature}`,
      hmac,
      selfSigned(readPayload(token()), { typ: 'JWT' }),
      selfSigned(readPayload(token()), { typ: 'at+jwt' }),
      member.token,
      ...['', '.', '..', '...', 'a.b.c', '~', '~~~', '💥', 'null', '{}', `${token()}.${token()}`].map(
        (each) => each || ' ',
      ),
    ];
    for (const each of forged)
      expect(await requestVerification(app, each)).toMatchObject({
        status: 200,
        body: { valid: false, form: null, credential: null, checks: { form: 'malformed' } },
      });
  });

  it('one of our own signatures over anything else is malformed', async () => {
    const payload = readPayload(token());
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
      { ...payload, claims: { persistence: 0.9 } },
      { ...payload, claims: null },
      { ...payload, claims: { archetype_family: {} } },
      { ...payload, sub: 7 },
      { ...payload, status: undefined },
      { ...payload, status: { status_list: { idx: 131_072, uri: payload.status.status_list.uri } } },
      { ...payload, status: { status_list: { idx: 1, uri: 'https://evil.example' } } },
      { ...payload, iss: { deep: true } },
    ];
    for (const each of wrong)
      expect(await requestVerification(app, selfSigned(each))).toMatchObject({
        status: 200,
        body: { valid: false, checks: { form: 'malformed' } },
      });
  });
});

describe('a token has one spelling', () => {
  const validity = async (text: string) =>
    (await verifyToken(app.platform, text, { check_revocation: true })).valid;

  it('any single character changed, left out or put in makes it invalid', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~ =+/\n\0é';
    const mutation = fc.record({
      form: fc.constantFrom(...listForms(credential)),
      at: fc.nat(),
      character: fc.constantFrom(...alphabet.split('')),
      kind: fc.constantFrom('change' as const, 'insert' as const, 'delete' as const),
    });
    // Many at once: each key that nobody has ever heard of waits for a look into the database, and all wait for the same one.
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 100, maxLength: 100 }), async (mutations) => {
        const texts = mutations.map(({ form, at, character, kind }) => {
          const place = at % form.length;
          const rest = form.slice(kind === 'insert' ? place : place + 1);
          return [form, form.slice(0, place) + (kind === 'delete' ? '' : character) + rest] as const;
        });
        const changed = texts.filter(([form, text]) => form !== text);
        expect(await Promise.all(changed.map(([, text]) => validity(text)))).toEqual(
          changed.map(() => false),
        );
      }),
      { numRuns: 20, seed: 20_260_302 },
    );
  });

  it('every other last character of every part makes it invalid', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (const form of listForms(credential))
      for (const { index: end } of form.matchAll(/[A-Za-z0-9_-](?=[.~]|$)/g))
        await Promise.all(
          alphabet.split('').map(async (character) => {
            const mutated = form.slice(0, end) + character + form.slice(end + 1);
            expect(await validity(mutated)).toBe(mutated === form);
          }),
        );
  });

  it('padding, white space and other encodings of the same bytes make it invalid', async () => {
    for (const form of listForms(credential)) {
      const [head, body, rest] = form.split('.') as [string, string, string];
      const respelled = [
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
      for (const each of respelled) expect([each === form, await validity(each)]).toEqual([false, false]);
    }
  });

  it('whatever text is sent is answered, and nothing of it is valid', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.base64String()),
        async (text) => {
          expect(await validity(text)).toBe(false);
        },
      ),
      { numRuns: 300, seed: 20_260_302 },
    );
  });
});

it('a rotation of the keys breaks no older token, and new ones verify as well', async () => {
  const older = await createCredential(app, member.token);
  await app.platform.keys.rotate('ES256');
  const newer = await createCredential(app, member.token);
  expect(readHeader(newer.formats.attestation_token).kid).not.toBe(
    readHeader(older.formats.attestation_token).kid,
  );
  for (const form of [...listForms(older), ...listForms(credential), ...listForms(newer)])
    expect((await requestVerification(app, form)).body).toMatchObject({ valid: true });
});

describe('a process that did not see the revocation', () => {
  it('refuses the token within a second all the same', async () => {
    const database = openDatabase(app.sql.settings, () => undefined);
    const elsewhere = {
      ...app.platform,
      database,
      memory: openMemory(() => ({ ...app.platform, database })),
    };
    const revoked = await createCredential(app, member.token);
    const { attestation_token } = revoked.formats;
    const asked = () => verifyToken(elsewhere, attestation_token, { check_revocation: true });
    expect((await asked()).valid).toBe(true);
    await requestRevocation(app, member.token, revoked.id);
    const since = performance.now();
    await expect.poll(async () => (await asked()).checks.revocation, { timeout: 5_000 }).toBe('revoked');
    expect(performance.now() - since).toBeLessThan(2_000);
    await database.close();
  });

  it('gives no answer without the database, unless nobody asks for the revocation', async () => {
    const away = new Refusal('database_unavailable');
    const database = { ...app.sql, list: () => Promise.reject(away) };
    const elsewhere = {
      ...app.platform,
      database,
      memory: openMemory(() => ({ ...app.platform, database })),
    };
    await expect(verifyToken(elsewhere, token(), { check_revocation: true })).rejects.toBe(away);
    expect((await verifyToken(elsewhere, token(), { check_revocation: false })).valid).toBe(true);
  });
});

it('counts verifications, and keeps nothing about who asked', async () => {
  const counted = await createCredential(app, member.token);
  for (const form of listForms(counted)) await requestVerification(app, form);
  await app.request('GET', `/credentials/${counted.id}/verify`);
  await requestVerification(app, counted.formats.attestation_token.slice(0, -8));
  const { body } = await app.request('GET', `/credentials/${counted.id}`, { token: member.token });
  expect(body.verifications).toBe(4);
});

async function signedElsewhere(payload: object, header: object = {}): Promise<string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomUUID();
  return new jose.SignJWT(payload as jose.JWTPayload)
    .setProtectedHeader({ alg: 'ES256', typ: 'attestation+jwt', kid, ...header })
    .sign(privateKey);
}
