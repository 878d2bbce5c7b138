import { expect, test } from 'vitest';
import { archetypeTemplates } from '#test/modules/credentials.ts';
import { unknownId, startApp } from '#test/harness.ts';
import { forceMatchStatus } from '#test/modules/matching.ts';
import { proves } from '#test/requirements.ts';
import { sql } from '#platform/database/database.ts';
import {
  listCredentialEvents,
  listForms,
  readHeader,
  createCredential,
  createOrgValidation,
  readPayload,
  requestVerification,
  selfAttestedDraft,
  verifyEmail,
} from '#test/modules/credentials.ts';

const app = await startApp();
const member = await registerVerifiedMember();
const admin: { token: string } = await app.registerPlatformAdmin();

async function registerVerifiedMember() {
  const registered = await app.registerMember();
  await verifyEmail(app, registered.member_id);
  return registered;
}

const issue = (token: string | undefined, body: object, headers: Record<string, string> = {}) =>
  app.request('POST', '/credentials/issue', { ...(token && { token }), body, headers });

const countStored = async () =>
  (await app.sql.one(sql<{ count: number }>`select count(*) from credentials`)).count;

test('a member issues a self-attested credential and receives it in four forms', async () => {
  proves(
    'credential-issue-endpoint-jwt',
    'credential-issue-request-fields',
    'credential-type-value-trait-attestation',
    'credential-attestation-tier-value-self-attested',
    'credential-claims-keys-seen',
    'credential-expiry-days-integer',
    'credential-issue-creates-active',
  );
  const { status, body } = await issue(member.token, selfAttestedDraft);
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    member_id: member.member_id,
    credential_type: 'trait_attestation',
    attestation_tier: 'self_attested',
    status: 'active',
    visibility: 'private',
    issued_at: app.clock.now().toISOString(),
    expires_at: new Date(app.clock.now().getTime() + 30 * 86_400_000).toISOString(),
    revoked_at: null,
    claims: selfAttestedDraft.claims,
    revocation_reason: null,
    verifications: 0,
    issuer: 'did:web:localhost%3A8420',
    formats: {
      vc_jwt: expect.any(String),
      sd_jwt_vc: expect.any(String),
      attestation_token: expect.any(String),
      open_badge: expect.any(String),
    },
  });
});

test('the three forms of a credential contain the same facts', async () => {
  proves('credential-is-w3c-verifiable-credential', 'attestation-token-is-es256-jwt');
  const credential = await createCredential(app, member.token);
  const [vc, sd, token] = listForms(credential);
  const seconds = {
    iat: Date.parse(credential.issued_at) / 1000,
    exp: Date.parse(credential.expires_at) / 1000,
  };
  const subject = `urn:uuid:${member.member_id}`;
  expect(readHeader(vc!)).toEqual({
    alg: 'ES256',
    kid: expect.stringMatching(/^did:web:localhost%3A8420#/),
    typ: 'vc+jwt',
    cty: 'vc',
  });
  expect(readPayload(vc!)).toEqual({
    '@context': ['https://www.w3.org/ns/credentials/v2', 'http://localhost:8420/contexts/credentials/v1'],
    id: `urn:uuid:${credential.id}`,
    type: ['VerifiableCredential', 'TraitAttestation'],
    issuer: 'did:web:localhost%3A8420',
    validFrom: '2026-03-02T09:00:00Z',
    validUntil: '2026-04-01T09:00:00Z',
    credentialSubject: { id: subject, ...selfAttestedDraft.claims },
    attestation_tier: 'self_attested',
    credentialStatus: {
      id: expect.stringMatching(/^http:.*\/credentials\/status-lists\/[0-9a-f-]{36}#\d+$/),
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      statusListIndex: expect.stringMatching(/^\d+$/),
      statusListCredential: expect.stringMatching(/^http:.*\/credentials\/status-lists\/[0-9a-f-]{36}$/),
    },
    iss: 'did:web:localhost%3A8420',
    sub: subject,
    jti: `urn:uuid:${credential.id}`,
    ...seconds,
  });
  const status = {
    status_list: { idx: expect.any(Number), uri: expect.stringMatching(/token-status-lists/) },
  };
  expect(readHeader(token!)).toEqual({ alg: 'ES256', kid: expect.any(String), typ: 'attestation+jwt' });
  const { credential_type, attestation_tier, claims } = selfAttestedDraft;
  expect(readPayload(token!)).toEqual({
    iss: 'http://localhost:8420',
    sub: subject,
    jti: credential.id,
    ...seconds,
    credential_type,
    attestation_tier,
    claims,
    status,
  });
  expect(readHeader(sd!)).toEqual({ alg: 'ES256', kid: readHeader(token!).kid, typ: 'dc+sd-jwt' });
  // Digests replace the subject and the claims, so that the holder can disclose each one separately.
  expect(readPayload(sd!)).toEqual({
    iss: 'http://localhost:8420',
    vct: 'http://localhost:8420/vct/trait_attestation',
    jti: credential.id,
    attestation_tier,
    ...seconds,
    status,
    _sd: [expect.any(String), expect.any(String), expect.any(String)],
    _sd_alg: 'sha-256',
  });
  const idx = readPayload(token!).status.status_list.idx;
  expect([
    readPayload(sd!).status.status_list.idx,
    Number(readPayload(vc!).credentialStatus.statusListIndex),
  ]).toEqual([idx, idx]);
});

test('issuing emits one event without claims and writes one audit entry', async () => {
  proves('credential-issue-emits-attestation-issued');
  const { id, issued_at, expires_at } = await createCredential(app, member.token);
  expect(await listCredentialEvents(app, 'attestation.issued', id)).toEqual([
    {
      credential_id: id,
      member_id: member.member_id,
      credential_type: 'trait_attestation',
      attestation_tier: 'self_attested',
      status: 'active',
      issued_at,
      expires_at,
      revoked_at: null,
    },
  ]);
  const audited = await app.sql.list(sql`
    select actor_user_id, member_id from audit_log where action = 'credentials.issued' and detail->>'credential_id' = ${id}`);
  expect(audited).toEqual([{ actor_user_id: member.user_id, member_id: member.member_id }]);
});

test('by default a credential is self-attested and valid for a year', async () => {
  const { status, body } = await issue(member.token, {
    credential_type: 'archetype_attestation',
    claims: { archetype: 'keel' },
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    attestation_tier: 'self_attested',
    expires_at: new Date(app.clock.now().getTime() + 365 * 86_400_000).toISOString(),
  });
});

test('members issue only self-attested credentials about themselves, and organisations issue none', async () => {
  proves('credential-issue-member-self-attested-only');
  const before = await countStored();
  const other = await app.registerMember();
  for (const attestation_tier of ['platform_verified', 'org_validated'])
    expect(await issue(member.token, { ...selfAttestedDraft, attestation_tier })).toMatchObject({
      status: 403,
      body: { code: 'attestation_tier_not_allowed' },
    });
  expect(await issue(member.token, { ...selfAttestedDraft, member_id: other.member_id })).toMatchObject({
    status: 403,
    body: { code: 'role_not_allowed' },
  });
  expect(await issue(undefined, selfAttestedDraft)).toMatchObject({ status: 401 });
  expect(await issue((await app.registerOrgAdmin()).token, selfAttestedDraft)).toMatchObject({
    status: 403,
    body: { code: 'role_not_allowed' },
  });
  expect(await countStored()).toBe(before);
});

test('a platform administrator issues for any member and in any tier', async () => {
  proves('credential-issue-platform-admin-any-member');
  const { member_id } = await registerKeel();
  const claims = { organisation_name: 'Harbour Health', statement: 'A steady hand.' };
  const body = { member_id, credential_type: 'org_validation', claims };
  expect(await issue(admin.token, { ...body, attestation_tier: 'org_validated' })).toMatchObject({
    status: 201,
    body: { member_id, attestation_tier: 'org_validated', claims },
  });
  const ownClaims = { trait_coverage: 1 };
  expect(await issue(admin.token, { ...selfAttestedDraft, claims: ownClaims, member_id })).toMatchObject({
    status: 201,
  });
  const verified = await issue(admin.token, {
    member_id,
    credential_type: 'trait_attestation',
    attestation_tier: 'platform_verified',
  });
  expect(verified).toMatchObject({
    status: 201,
    body: {
      claims: { archetype_family: expect.any(String), archetype: expect.any(String), trait_coverage: 1 },
    },
  });
  expect(await issue(admin.token, { ...selfAttestedDraft })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/member_id' }] },
  });
  expect(await issue(admin.token, { ...selfAttestedDraft, member_id: unknownId })).toMatchObject({
    status: 404,
    body: { code: 'member_not_found' },
  });
});

test('the service vouches only for what it knows, and for measurements only while the member consents', async () => {
  const other = await registerKeel();
  const { member_id } = other;
  const issueVerified = (credential_type: string, claims?: object) =>
    issue(admin.token, { member_id, credential_type, attestation_tier: 'platform_verified', claims });
  const { body } = await issueVerified('archetype_attestation');
  const { archetype_family } = body.claims as { archetype_family: string };
  expect(await issueVerified('archetype_attestation', { archetype_family })).toMatchObject({
    status: 201,
    body: { claims: { archetype_family } },
  });
  const other_family = ['craft', 'fellowship'].find((name) => name !== archetype_family);
  const refused: readonly [type: string, claims: object | undefined, pointer: string][] = [
    ['archetype_attestation', { archetype_family: other_family }, '/claims/archetype_family'],
    ['trait_attestation', { trait_coverage: 0.99 }, '/claims/trait_coverage'],
    ['assessment_completion', { assessment_completed_on: '2020-01-01' }, '/claims/assessment_completed_on'],
    ['placement_attestation', undefined, '/claims'],
  ];
  for (const [type, claims, pointer] of refused)
    expect(await issueVerified(type, claims)).toMatchObject({
      status: 422,
      body: { code: 'claim_not_verified', errors: [{ pointer }] },
    });
  expect(await issueVerified('assessment_completion')).toMatchObject({
    status: 201,
    body: { claims: { assessment_completed_on: '2026-03-02', trait_coverage: 1 } },
  });
  await app.request('POST', '/members/me/consent', {
    token: other.token,
    body: { consent_type: 'assessment_data', granted: false, version: '1.0' },
  });
  expect(await issueVerified('archetype_attestation')).toMatchObject({
    status: 403,
    body: { code: 'consent_required' },
  });
});

test('the service attests no archetype whose family is not certain, and nothing but the coverage of a preliminary result', async () => {
  const uncertain = await app.registerDeployedMember();
  const preliminary = await registerKeel();
  await app.sql.run(sql`update trait_vectors set stage = 'first' where member_id = ${preliminary.member_id}`);
  const issueVerified = (member_id: string, credential_type: string) =>
    issue(admin.token, { member_id, credential_type, attestation_tier: 'platform_verified' });
  for (const { member_id } of [uncertain, preliminary]) {
    const { body } = await issueVerified(member_id, 'trait_attestation');
    expect(body.claims).toEqual({ trait_coverage: 1 });
    expect(await issueVerified(member_id, 'archetype_attestation')).toMatchObject({
      status: 422,
      body: { code: 'claim_not_verified' },
    });
  }
  expect((await issueVerified(uncertain.member_id, 'assessment_completion')).status).toBe(201);
  expect((await issueVerified(preliminary.member_id, 'assessment_completion')).body.code).toBe(
    'claim_not_verified',
  );
});

/** Registers a member whose archetype is certain. */
function registerKeel() {
  const { vector } = archetypeTemplates.find(({ archetype }) => archetype === 'keel')!;
  return app.registerDeployedMember({ mean: vector, variance: Array<number>(20).fill(0.1) });
}

test('the service attests a placement only once the member is placed', async () => {
  const other = await app.registerDeployedMember({ mean: Array<number>(20).fill(2) });
  const org = await app.registerOrgAdmin({ name: 'Harbour Health' });
  const job = await app.request('POST', '/orgs/me/jobs', {
    token: org.token,
    body: {
      title: 'Archivist',
      outcome_description: 'All is in order.',
      trait_priorities: { persistence: 1 },
    },
  });
  await app.drainQueue();
  const { id } = await app.sql.one(sql<{ id: string }>`
    select id from matches where job_id = ${job.body.id} and member_id = ${other.member_id}`);
  const issuePlacement = (claims?: object) =>
    issue(admin.token, {
      member_id: other.member_id,
      credential_type: 'placement_attestation',
      attestation_tier: 'platform_verified',
      claims,
    });
  expect((await issuePlacement()).body.code).toBe('claim_not_verified');
  await forceMatchStatus(app, id, 'placed');
  const claims = { job_title: 'Archivist', organisation_name: 'Harbour Health' };
  expect(await issuePlacement()).toMatchObject({ status: 201, body: { claims } });
  expect(await issuePlacement({ job_title: 'Archivist' })).toMatchObject({ status: 201, body: { claims } });
  expect(await issuePlacement({ job_title: 'Director' })).toMatchObject({ status: 422 });
});

test('an invalid field is refused by name, and nothing is stored', async () => {
  const before = await countStored();
  const wrong: readonly [overrides: object, pointer: string][] = [
    [{ credential_type: 'diploma' }, '/credential_type'],
    [{ credential_type: undefined }, '/credential_type'],
    [{ attestation_tier: 'gold' }, '/attestation_tier'],
    [{ expiry_days: 0 }, '/expiry_days'],
    [{ expiry_days: 3_651 }, '/expiry_days'],
    [{ expiry_days: 1.5 }, '/expiry_days'],
    [{ expiry_days: '30' }, '/expiry_days'],
    [{ claims: {} }, '/claims'],
    [{ claims: undefined }, '/claims'],
    [{ claims: [] }, '/claims'],
    [{ claims: { pressure_response: 0.9 } }, '/claims/pressure_response'],
    [{ claims: { statement: 'x' } }, '/claims/statement'],
    [{ claims: { trait_coverage: 1.01 } }, '/claims/trait_coverage'],
    [{ claims: { archetype_family: 'x'.repeat(101) } }, '/claims/archetype_family'],
    [{ claims: { archetype_family: 'Licensed surgeon, checked by the state' } }, '/claims/archetype_family'],
    [{ claims: { archetype: 'Licensed surgeon' } }, '/claims/archetype'],
    [{ claims: { archetype_family: 0.7 } }, '/claims/archetype_family'],
    [{ claims: { archetype_family: 'a\0' } }, '/claims/archetype_family'],
    [{ claims: { archetype_family: 'x'.repeat(200_000) } }, '/claims/archetype_family'],
    [{ member_id: 'me' }, '/member_id'],
    [{ visibility: 'public' }, '/visibility'],
    [
      { credential_type: 'org_validation', claims: { statement: 'Validated by the WHO' } },
      '/attestation_tier',
    ],
    [{ credential_type: 'placement_attestation', claims: { organisation_name: 'WHO' } }, '/attestation_tier'],
    [{ credential_type: 'assessment_completion', claims: { trait_coverage: 1 } }, '/attestation_tier'],
  ];
  for (const [overrides, pointer] of wrong) {
    const { status, body } = await issue(member.token, { ...selfAttestedDraft, ...overrides });
    expect([status, body.code, body.errors?.[0].pointer]).toEqual([422, 'field_invalid', pointer]);
  }
  expect(await countStored()).toBe(before);
});

test('an administrator can issue a type only in a tier that vouches for it, and must name an organisation that does', async () => {
  const { member_id } = member;
  const wrong: readonly [body: object, pointer: string][] = [
    [{ credential_type: 'org_validation', claims: { statement: 'x' } }, '/attestation_tier'],
    [
      {
        credential_type: 'org_validation',
        attestation_tier: 'platform_verified',
        claims: { statement: 'x' },
      },
      '/attestation_tier',
    ],
    [
      { credential_type: 'org_validation', attestation_tier: 'org_validated', claims: { statement: 'x' } },
      '/claims/organisation_name',
    ],
    [
      {
        credential_type: 'placement_attestation',
        attestation_tier: 'org_validated',
        claims: { job_title: 'Archivist' },
      },
      '/claims/organisation_name',
    ],
    [
      {
        credential_type: 'trait_attestation',
        attestation_tier: 'org_validated',
        claims: { archetype: 'keel' },
      },
      '/attestation_tier',
    ],
  ];
  for (const [body, pointer] of wrong) {
    const reply = await issue(admin.token, { member_id, ...body });
    expect([reply.status, reply.body.code, reply.body.errors?.[0].pointer]).toEqual([
      422,
      'field_invalid',
      pointer,
    ]);
  }
});

test('no credential is issued about a member whose email address is not verified', async () => {
  const newcomer = await app.registerMember();
  const before = await countStored();
  for (const [token, body] of [
    [newcomer.token, selfAttestedDraft],
    [admin.token, { ...selfAttestedDraft, member_id: newcomer.member_id }],
  ] as const)
    expect(await issue(token, body)).toMatchObject({ status: 403, body: { code: 'email_not_verified' } });
  expect(await countStored()).toBe(before);
  await verifyEmail(app, newcomer.member_id);
  expect((await issue(newcomer.token, selfAttestedDraft)).status).toBe(201);
});

test('a holder of an SD-JWT VC cannot hide the organisation that vouches for it', async () => {
  const claims = { organisation_name: 'Harbour Health', statement: 'A steady hand.' };
  const { formats } = await createOrgValidation(app, member.member_id, claims);
  const payload = readPayload(formats.sd_jwt_vc);
  expect(payload).toMatchObject({ attestation_tier: 'org_validated', organisation_name: 'Harbour Health' });
  expect(payload).not.toHaveProperty('statement');
  const [jws] = formats.sd_jwt_vc.split('~');
  const { body } = await requestVerification(app, `${jws}~`);
  expect(body).toMatchObject({
    valid: true,
    credential: { claims: { organisation_name: 'Harbour Health' } },
  });
});

test('repeated requests with the same Idempotency-Key issue one credential', async () => {
  const headers = { 'idempotency-key': 'credential-1' };
  const [first, again] = [
    await issue(member.token, selfAttestedDraft, headers),
    await issue(member.token, selfAttestedDraft, headers),
  ];
  expect(again.body).toEqual(first.body);
  expect(await listCredentialEvents(app, 'attestation.issued', first.body.id)).toHaveLength(1);
});

test('no credential is issued for a member who is being deleted, or beyond 500 active credentials', async () => {
  const leaver = await app.registerMember();
  const deletion = await app.request('DELETE', '/members/me', { token: leaver.token, body: {} });
  expect(deletion.status).toBe(202);
  expect(await issue(admin.token, { ...selfAttestedDraft, member_id: leaver.member_id })).toMatchObject({
    status: 403,
    body: { code: 'account_pending_deletion' },
  });
  const busy = await app.registerMember();
  const { id } = await createCredential(app, busy.token);
  const taken = await app.sql.list(sql<{ status_index: number }>`select status_index from credentials`);
  const places = new Set(Array.from({ length: 499 + taken.length }, (_, place) => place));
  for (const { status_index } of taken) places.delete(status_index);
  const copied = await app.sql.run(sql`
    insert into credentials (id, member_id, credential_type, attestation_tier, claims, issued_at, expires_at, status_list_id, status_index,
      vc_jwt, sd_jwt_vc, attestation_token)
    select gen_random_uuid(), member_id, credential_type, attestation_tier, claims, issued_at, expires_at, status_list_id, place,
      vc_jwt, sd_jwt_vc, attestation_token
    from credentials, unnest(${[...places].slice(0, 499)}::int[]) as place where member_id = ${busy.member_id} and id = ${id}`);
  expect(copied).toBe(499);
  expect(await issue(busy.token, selfAttestedDraft)).toMatchObject({
    status: 409,
    body: { code: 'credentials_full' },
  });
});

test('how much was measured is the word of the service, whatever a member claims', async () => {
  const measured = await app.registerDeployedMember();
  const claims = { trait_coverage: 0.01 };
  const { body } = await issue(measured.token, { credential_type: 'trait_attestation', claims });
  expect(body.claims).toEqual({ trait_coverage: 1 });
});

test('of a measured member, only the archetype that was found is signed, with its certainty', async () => {
  const keel = await registerKeel();
  const own = await app.request('GET', '/members/me/archetype', { token: keel.token });
  const { archetype, archetype_family, certainty } = own.body;
  for (const claims of [{ archetype_family }, { archetype }, { archetype, archetype_family }]) {
    const { status, body } = await issue(keel.token, { credential_type: 'archetype_attestation', claims });
    expect([status, body.claims]).toEqual([201, { ...claims, archetype_certainty: certainty }]);
    for (const form of listForms(body))
      expect(await requestVerification(app, form)).toMatchObject({
        body: { valid: true, credential: { claims: body.claims } },
      });
  }
  const other = ['craft', 'fellowship'].find((family) => family !== archetype_family);
  for (const [name, value] of [
    ['archetype_family', other],
    ['archetype', 'lens'],
  ] as const)
    expect(
      await issue(keel.token, { credential_type: 'archetype_attestation', claims: { [name]: value } }),
    ).toMatchObject({
      status: 422,
      body: { code: 'claim_not_verified', errors: [{ pointer: `/claims/${name}` }] },
    });
});

test('an archetype that is not certain is refused in every tier, and the refusal says what would change it', async () => {
  const uncertain = await app.registerDeployedMember();
  const preliminary = await app.registerDeployedMember();
  await app.sql.run(sql`update trait_vectors set stage = 'first' where member_id = ${preliminary.member_id}`);
  for (const [{ token }, way] of [
    [uncertain, 'another assessment can make it more certain'],
    [preliminary, 'the second part of the assessment makes it more certain'],
  ] as const)
    expect(
      await issue(token, { credential_type: 'archetype_attestation', claims: { archetype_family: 'craft' } }),
    ).toMatchObject({
      status: 422,
      body: {
        code: 'claim_not_verified',
        errors: [{ pointer: '/claims/archetype_family', reason: expect.stringContaining(way) }],
      },
    });
  const forged = { archetype_family: 'craft', archetype_certainty: 'high' };
  expect(
    await issue(member.token, { credential_type: 'archetype_attestation', claims: forged }),
  ).toMatchObject({ status: 422, body: { errors: [{ pointer: '/claims/archetype_certainty' }] } });
});
