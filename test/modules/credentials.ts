import type { Static } from 'typebox';
import type { TestApp, TestReply } from '#test/harness.ts';
import { sendPatiently } from '#test/send-patiently.ts';
import { sql } from '#platform/database/database.ts';
import type { credentialWire } from '../../src/modules/credentials/credentials/wire.ts';

import { archetypeTemplates } from '../../src/modules/measurement/archetypes/templates.ts';

export { createOwnDocumentLoader } from '../../src/modules/credentials/credentials/signing/data-integrity.ts';
export { archetypeTemplates };

export type IssuedCredential = Static<typeof credentialWire>;

/** A credential that any member may issue about themselves. */
export const selfAttestedDraft = {
  credential_type: 'trait_attestation',
  attestation_tier: 'self_attested',
  claims: { archetype_family: 'craft', trait_coverage: 0.9 },
  expiry_days: 30,
};

/** Marks the email address of a member as verified, as the emailed link would. */
export async function verifyEmail(app: TestApp, member_id: string): Promise<void> {
  await app.sql.run(
    sql`update members set email_verified = true where id = ${member_id} and not email_verified`,
  );
}

/** Gives a member who has been measured a certain archetype of the family that {@link selfAttestedDraft} states. */
export async function makeArchetypeCertain(app: TestApp, member_id: string): Promise<void> {
  const { vector } = archetypeTemplates.find(
    ({ family }) => family === selfAttestedDraft.claims.archetype_family,
  )!;
  await app.sql.run(sql`
    update trait_vectors set latent_mean = ${vector}::real[], latent_variance = ${vector.map(() => 0.1)}::real[] where member_id = ${member_id}`);
}

/** Issues a credential about a member, whose email address it verifies first, and whose archetype it makes certain. @returns its record. */
export async function createCredential(
  app: TestApp,
  token: string,
  overrides: { readonly member_id?: string; readonly [field: string]: unknown } = {},
): Promise<IssuedCredential> {
  const member_id = overrides.member_id ?? readPayload(token).member_id;
  await verifyEmail(app, member_id);
  if (overrides['claims'] === undefined) await makeArchetypeCertain(app, member_id);
  const { status, body } = await sendPatiently(() =>
    app.request('POST', '/credentials/issue', { token, body: { ...selfAttestedDraft, ...overrides } }),
  );
  if (status !== 201) throw new Error(`issuing failed with status ${status}: ${JSON.stringify(body)}`);
  return body as IssuedCredential;
}

/** Issues a statement of an organisation about a member. @returns its record. */
export async function createOrgValidation(
  app: TestApp,
  member_id: string,
  claims: object,
): Promise<IssuedCredential> {
  const { token } = await app.registerPlatformAdmin();
  return createCredential(app, token, {
    member_id,
    credential_type: 'org_validation',
    attestation_tier: 'org_validated',
    claims,
  });
}

export function requestRevocation(
  app: TestApp,
  token: string,
  id: string,
  body: object = {},
): Promise<TestReply> {
  return app.request('POST', `/credentials/${id}/revoke`, { token, body });
}

/** Verifies a token without logging in; `more` is appended to the query. */
export function requestVerification(app: TestApp, token: string, more = ''): Promise<TestReply> {
  return app.request('GET', `/credentials/verify?token=${encodeURIComponent(token)}${more}`);
}

/** The forms of a credential that have stood in every record since the first release. */
export function listForms({ formats }: IssuedCredential): readonly string[] {
  return [formats.vc_jwt, formats.sd_jwt_vc, formats.attestation_token];
}

/** The events of one type about a credential. */
export async function listCredentialEvents(
  app: TestApp,
  type: string,
  id: string,
): Promise<readonly object[]> {
  const rows = await app.sql.list(sql<{ data: object }>`
    select data from events where type = ${type} and data->>'credential_id' = ${id}`);
  return rows.map(({ data }) => data);
}

/** The payload of a compact JWS, unverified. */
// Tests read payloads of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
export function readPayload(jws: string): any {
  return JSON.parse(Buffer.from(jws.split('.')[1]!, 'base64url').toString());
}

// oxlint-disable-next-line typescript/no-explicit-any
export function readHeader(jws: string): any {
  return JSON.parse(Buffer.from(jws.split('.')[0]!, 'base64url').toString());
}

/** Registers a member at level 3 who consents to credential_sharing. */
export async function registerSharingMember(app: TestApp) {
  const member = await app.registerDeployedMember();
  await setConsent(app, member.token, 'credential_sharing', true);
  return member;
}

export async function setConsent(
  app: TestApp,
  token: string,
  consent_type: string,
  granted: boolean,
): Promise<void> {
  await app.request('POST', '/members/me/consent', {
    token,
    body: { consent_type, granted, version: '1.0' },
  });
}
