import { readFileSync } from 'node:fs';
import { verifyCredential } from '@digitalcredentials/verifier-core';
import { Ajv2019 } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import * as jose from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startApp } from '#test/harness.ts';
import { alignmentClaim, createAchievementCredential } from '#test/modules/offers.ts';
import {
  createCredential,
  createOrgValidation,
  readHeader,
  readPayload,
  requestRevocation,
  requestVerification,
} from '#test/modules/credentials.ts';

const app = await startApp();

/** The schema of the standard; `test/fixtures/open-badges/README.md` says how to use the one that its publisher offers. */
const schema = JSON.parse(
  readFileSync(
    process.env['TESSERA_OPEN_BADGES_SCHEMA'] ??
      'test/fixtures/open-badges/achievement-credential.schema.json',
    'utf8',
  ),
);
// The published schema has an empty fragment at the end of this address, which the validator refuses.
const validator = new Ajv2019({ strict: false, allErrors: true });
addFormats.default(validator);
const isBadge = validator.compile({ ...schema, $schema: 'https://json-schema.org/draft/2019-09/schema' });

/** What the verifier fetches, without the internet: the documents of this service, and the schema. */
async function serveDocuments(input: string | URL | Request, options?: RequestInit): Promise<Response> {
  const { url, headers } = new Request(input, options);
  if (url === schema.$id) return Response.json(schema);
  const origin = /^https?:\/\/localhost:8420/;
  if (!origin.test(url)) throw new Error(`the verifier fetched ${url}`);
  const accept = headers.get('accept') ?? '*/*';
  const { status, body } = await app.request('GET', url.replace(origin, '/'), { headers: { accept } });
  return Response.json(body, { status });
}

beforeEach(() => {
  vi.stubGlobal('fetch', serveDocuments);
  vi.useFakeTimers({ toFake: ['Date'], now: app.clock.now() });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function readBadge(id: string, token: string) {
  const { status, body } = await app.request('GET', `/credentials/${id}/open-badge`, { token });
  expect(status).toBe(200);
  return body;
}

/** The five steps of the verifier, by their ids. */
async function runVerifier(credential: object) {
  const {
    log = [],
    errors = [],
    additionalInformation = [],
  } = (await verifyCredential({
    credential,
    knownDIDRegistries: [],
  } as never)) as {
    readonly log?: readonly { readonly id: string; readonly valid?: boolean }[];
    readonly errors?: readonly { readonly name: string }[];
    readonly additionalInformation?: readonly { readonly results: unknown }[];
  };
  return {
    steps: Object.fromEntries(log.map(({ id, valid }) => [id, valid])),
    errors: errors.map(({ name }) => name),
    schemas: additionalInformation.flatMap(({ results }) => results),
  };
}

/** One credential of each type and tier that can be issued here. */
async function issueSamples() {
  const member = await app.registerDeployedMember();
  const { token } = await app.registerPlatformAdmin();
  const { member_id } = member;
  const issue = (credential_type: string, attestation_tier: string, claims: object) =>
    createCredential(app, token, { member_id, credential_type, attestation_tier, claims });
  const samples = [
    await createCredential(app, member.token),
    await issue('trait_attestation', 'platform_verified', {}),
    await issue('assessment_completion', 'platform_verified', {}),
    await issue('placement_attestation', 'org_validated', {
      job_title: 'Night nurse',
      organisation_name: 'Harbour Health',
    }),
    await createOrgValidation(app, member_id, {
      organisation_name: 'Harbour Health',
      statement: 'Ça va — 働く 💼',
    }),
  ];
  return { member, samples };
}

describe('a stranger’s verifier (verifier-core of the Digital Credentials Consortium)', () => {
  it('accepts badges of every type and tier: signature, revocation, expiry and schema', async () => {
    const { member, samples } = await issueSamples();
    for (const { id } of samples) {
      const { steps, errors, schemas } = await runVerifier(await readBadge(id, member.token));
      expect(errors).toEqual([]);
      // The issuer is in no registry of the consortium.
      expect(steps).toEqual({
        valid_signature: true,
        expiration: true,
        revocation_status: true,
        registered_issuer: false,
      });
      expect(schemas).toEqual([expect.objectContaining({ schema: schema.$id, result: { valid: true } })]);
    }
  });

  it('accepts the badge of an achievement with what it corresponds to, and refuses every change of that', async () => {
    const { credential, token } = await createAchievementCredential(app);
    const badge = await readBadge(credential.id, token);
    const { steps, errors, schemas } = await runVerifier(badge);
    expect([errors, steps]).toMatchObject([[], { valid_signature: true, revocation_status: true }]);
    expect(schemas).toEqual([expect.objectContaining({ result: { valid: true } })]);
    const { achievement, achievement_alignment } = badge.credentialSubject;
    expect([achievement.alignment.length, achievement_alignment]).toEqual([2, alignmentClaim]);
    for (const change of [
      { achievement: { ...achievement, alignment: achievement.alignment.slice(1) } },
      { achievement_alignment: achievement_alignment.slice(1) },
      ...Object.keys(alignmentClaim[1]!).map((name) => ({
        achievement_alignment: [
          achievement_alignment[0],
          { ...achievement_alignment[1], [name]: 'https://x.example' },
        ],
      })),
    ]) {
      const changed = { ...badge, credentialSubject: { ...badge.credentialSubject, ...change } };
      expect((await runVerifier(changed)).errors).toEqual(['invalid_signature']);
    }
  });

  it('refuses every change, and finds the revocation', async () => {
    const member = await app.registerMember();
    const { id } = await createCredential(app, member.token);
    const badge = await readBadge(id, member.token);
    for (const change of [
      { name: 'Doctor of Medicine' },
      { validUntil: '2099-01-01T00:00:00Z' },
      { attestation_tier: 'platform_verified' },
      { issuer: { ...badge.issuer, name: 'Harbour Health' } },
    ])
      expect((await runVerifier({ ...badge, ...change })).errors).toEqual(['invalid_signature']);
    await requestRevocation(app, member.token, id);
    expect((await runVerifier(badge)).steps).toMatchObject({
      valid_signature: true,
      revocation_status: false,
    });
  });

  it('goes on accepting a badge after a rotation, and finds no key after its revocation', async () => {
    const member = await app.registerMember();
    const { id, formats } = await createCredential(app, member.token);
    const badge = await readBadge(id, member.token);
    await app.platform.keys.rotate('credential');
    expect((await runVerifier(badge)).steps).toMatchObject({ valid_signature: true });
    await app.platform.keys.revoke(readHeader(formats.vc_jwt).kid.split('#')[1]);
    // The verifier remembers documents of issuers for a while, so this looks at the document itself.
    const { body: did } = await app.request('GET', '//.well-known/did.json');
    const ids = did.verificationMethod.map(({ id: each }: { id: string }) => each);
    expect(ids).not.toContain(badge.proof.verificationMethod);
  });
});

describe('the schema of the standard', () => {
  it('accepts both signed forms of a badge', async () => {
    const { member, samples } = await issueSamples();
    for (const { id, formats } of samples)
      for (const badge of [await readBadge(id, member.token), readPayload(formats.open_badge!)]) {
        isBadge(badge);
        expect(isBadge.errors).toBe(null);
      }
  });

  it('refuses a credential that is no badge, so that it would notice', async () => {
    const member = await app.registerMember();
    const { id, formats } = await createCredential(app, member.token);
    const badge = await readBadge(id, member.token);
    const { achievement, ...subject } = badge.credentialSubject;
    const { criteria: _, ...unconditional } = achievement;
    for (const wrong of [
      readPayload(formats.vc_jwt),
      { ...badge, credentialSubject: subject },
      { ...badge, credentialSubject: { ...subject, achievement: unconditional } },
      { ...badge, type: ['VerifiableCredential'] },
      { ...badge, validFrom: 'yesterday' },
    ])
      expect(isBadge(wrong)).toBe(false);
  });
});

describe('the badge as a JWT', () => {
  it('has the headers and claims of the standard, and is verified with the DID document', async () => {
    const member = await app.registerMember();
    const { formats, id } = await createCredential(app, member.token);
    const token = formats.open_badge!;
    const { body: did } = await app.request('GET', '//.well-known/did.json');
    const { kid } = readHeader(token);
    expect(readHeader(token)).toEqual({ alg: 'ES256', kid, typ: 'JWT' });
    const method = did.verificationMethod.find((each: { id: string }) => each.id === kid);
    const key = await jose.importJWK(method.publicKeyJwk, 'ES256');
    const { payload } = await jose.jwtVerify(token, key, { currentDate: app.clock.now() });
    // The verified payload is what the token says.
    expect(payload).toEqual(readPayload(token));
    const badge = readPayload(token);
    expect(badge).toMatchObject({
      iss: badge['issuer'].id,
      sub: badge['credentialSubject'].id,
      jti: `urn:uuid:${id}`,
      id: `urn:uuid:${id}`,
      nbf: Date.parse(badge['validFrom']) / 1000,
      exp: Date.parse(badge['validUntil']) / 1000,
    });
  });

  it('is verified by this service like the other forms, until it is revoked', async () => {
    const member = await app.registerMember();
    const { formats, id, claims } = await createCredential(app, member.token);
    const token = formats.open_badge!;
    const { body } = await requestVerification(app, token);
    expect(body).toMatchObject({
      valid: true,
      form: 'open_badge',
      credential: { credential_id: id, claims },
    });
    await requestRevocation(app, member.token, id);
    expect((await requestVerification(app, token)).body).toMatchObject({
      valid: false,
      checks: { revocation: 'revoked' },
    });
  });
});
