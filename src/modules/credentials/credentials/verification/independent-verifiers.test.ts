import { createHash, createPublicKey, verify as verifyBytes } from 'node:crypto';
import { verifySDJWT } from '@meeco/sd-jwt';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { verifyJWS, verifyJWT } from 'did-jwt';
import * as jose from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';
import {
  createCredential,
  createOrgValidation,
  listForms,
  readHeader,
  readPayload,
  requestRevocation,
  type IssuedCredential,
} from '#test/modules/credentials.ts';
import { proves } from '#test/requirements.ts';
import type { DidDocument } from '../signing/did-document.ts';

let samples: readonly IssuedCredential[];
let revoked: IssuedCredential;
let keySet: jose.JSONWebKeySet;
let did: DidDocument;

/** All verifications here use independent libraries and public documents only. */
const app = await startApp();
beforeAll(async () => {
  const member = await app.registerDeployedMember();
  const admin = await app.registerPlatformAdmin();
  const { member_id } = member;
  const issued = [
    await createCredential(app, member.token),
    await createOrgValidation(app, member_id, {
      organisation_name: 'Harbour Health',
      statement: 'Ça va — 働く 💼',
    }),
    await createCredential(app, admin.token, {
      member_id,
      attestation_tier: 'platform_verified',
      claims: {},
    }),
  ];
  await app.platform.keys.rotate('credential');
  const names = { job_title: 'Night nurse', organisation_name: 'Harbour Health' };
  issued.push(
    await createCredential(app, admin.token, {
      member_id,
      credential_type: 'placement_attestation',
      attestation_tier: 'org_validated',
      claims: names,
    }),
  );
  revoked = await createCredential(app, member.token);
  await requestRevocation(app, member.token, revoked.id);
  samples = issued;
  keySet = (await app.request('GET', '/credentials/.well-known/service-keys.json')).body;
  did = (await app.request('GET', '//.well-known/did.json')).body;
});

/** The key of a token, which names it by its id or by its verification method. */
const findPublicJwk = (kid: string) => keySet.keys.find((key) => key.kid === kid.split('#').at(-1))!;

function tamperPayload(jws: string): string {
  const [head, , signature] = jws.split('.');
  const payload = { ...readPayload(jws), exp: 4_000_000_000 };
  return [head, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join('.');
}

describe('jose', () => {
  it('verifies every W3C credential with the DID document', async () => {
    proves('credential-is-w3c-verifiable-credential');
    for (const { formats } of samples) {
      const findKey = (header: jose.JWSHeaderParameters) => {
        const method = did.verificationMethod.find(({ id }) => id === header.kid);
        if (method?.type !== 'JsonWebKey2020') throw new Error('no such key');
        return jose.importJWK(method.publicKeyJwk, 'ES256');
      };
      const options = { typ: 'vc+jwt', issuer: did.id, algorithms: ['ES256'], currentDate: app.clock.now() };
      const { payload } = await jose.jwtVerify(formats.vc_jwt, findKey, options);
      expect(payload).toMatchObject({ issuer: did.id, type: ['VerifiableCredential', expect.any(String)] });
      await expect(jose.jwtVerify(tamperPayload(formats.vc_jwt), findKey, options)).rejects.toThrow(
        'signature',
      );
    }
  });

  it('verifies every attestation token with the key set', async () => {
    proves('attestation-token-is-es256-jwt');
    const set = jose.createLocalJWKSet(keySet);
    const options = {
      typ: 'attestation+jwt',
      issuer: 'http://localhost:8420',
      algorithms: ['ES256'],
      currentDate: app.clock.now(),
    };
    for (const { formats, id } of samples) {
      const { payload } = await jose.jwtVerify(formats.attestation_token, set, options);
      expect(payload.jti).toBe(id);
      await expect(jose.jwtVerify(tamperPayload(formats.attestation_token), set, options)).rejects.toThrow(
        'signature',
      );
    }
  });
});

// In the types of did-jwt, unlike in those of jose, a JWK must have a kty. All keys here have one.
type DidJwtMethod = Exclude<Parameters<typeof verifyJWS>[1], readonly unknown[]>;

describe('did-jwt', () => {
  it('verifies every signature with its own implementation of the curve', () => {
    for (const sample of samples)
      for (const jws of listForms(sample).map((form) => form.split('~')[0]!)) {
        const kid = String(readHeader(jws).kid).split('#').at(-1)!;
        const method = {
          id: `${did.id}#${kid}`,
          type: 'JsonWebKey2020',
          controller: did.id,
          publicKeyJwk: findPublicJwk(kid),
        } as DidJwtMethod;
        expect(verifyJWS(jws, method)).toMatchObject({ id: method.id });
        expect(() => verifyJWS(tamperPayload(jws), method)).toThrow('invalid_signature');
      }
  });

  it('resolves the issuer and verifies every W3C credential with the resolved DID document', async () => {
    const resolver = {
      resolve: async () => ({
        didResolutionMetadata: {},
        didDocumentMetadata: {},
        didDocument: {
          id: did.id,
          assertionMethod: [...did.assertionMethod],
          verificationMethod: did.verificationMethod
            .filter(({ type }) => type === 'JsonWebKey2020')
            .map((method) => method as DidJwtMethod),
        },
      }),
    };
    const at = { policies: { now: app.clock.now().getTime() / 1000 } };
    for (const { formats } of samples)
      expect(await verifyJWT(formats.vc_jwt, { resolver, ...at })).toMatchObject({
        verified: true,
        issuer: did.id,
      });
  });
});

const hashData = (data: string | ArrayBuffer) =>
  createHash('sha256')
    .update(typeof data === 'string' ? data : new Uint8Array(data))
    .digest();

const verifyEs256 = async (signed: string, signature: string, kid: string) =>
  verifyBytes(
    'sha256',
    Buffer.from(signed),
    { key: createPublicKey({ key: findPublicJwk(kid), format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );

describe('@sd-jwt', () => {
  const createVerifier = (sample: IssuedCredential) =>
    new SDJwtVcInstance({
      hashAlg: 'sha-256',
      hasher: hashData,
      verifier: (signed, signature) =>
        verifyEs256(signed, signature, readHeader(sample.formats.sd_jwt_vc).kid),
      statusListFetcher: async (uri) =>
        (await app.request('GET', uri.replace('http://localhost:8420', '/'))).body,
    });
  const buildOptions = () => ({ currentDate: app.clock.now().getTime() / 1000 });

  // Without a separate verifier of lists, the library verifies the list with the key of the credential.
  it('verifies every SD-JWT VC and its status list with one key, even after a rotation, and restores the disclosed claims', async () => {
    for (const sample of samples) {
      const { payload } = await createVerifier(sample).verify(sample.formats.sd_jwt_vc, buildOptions());
      expect(payload).toMatchObject({ ...sample.claims, sub: `urn:uuid:${sample.member_id}` });
    }
  });

  it('finds the revocation', async () => {
    await expect(createVerifier(revoked).verify(revoked.formats.sd_jwt_vc, buildOptions())).rejects.toThrow(
      'Status is not valid',
    );
  });

  it('presents some claims and hides the others', async () => {
    const [sample] = samples;
    const presented = await createVerifier(sample!).present(sample!.formats.sd_jwt_vc, {
      archetype_family: true,
    });
    const { payload } = await createVerifier(sample!).verify(presented, buildOptions());
    expect(payload).toMatchObject({ archetype_family: 'craft' });
    expect(Object.keys(payload)).not.toContain('sub');
    expect(Object.keys(payload)).not.toContain('trait_coverage');
  });
});

describe('@meeco/sd-jwt', () => {
  it('verifies every SD-JWT VC and restores the same claims', async () => {
    for (const sample of samples) {
      const claims = await verifySDJWT(
        sample.formats.sd_jwt_vc,
        async (jwt: string) => {
          const [head, body, signature] = jwt.split('.');
          return verifyEs256(`${head}.${body}`, signature!, readHeader(jwt).kid);
        },
        async () => (data: string) => createHash('sha256').update(data).digest('base64url'),
      );
      expect(claims).toMatchObject({ ...sample.claims, sub: `urn:uuid:${sample.member_id}` });
    }
  });
});
