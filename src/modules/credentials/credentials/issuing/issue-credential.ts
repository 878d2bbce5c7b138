import { Type } from 'typebox';
import type { LoggedInCaller } from '#lib/caller.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { requireConsent } from '#modules/people/consent';
import { lockMember } from '#modules/people/members';
import type { Transaction, Reader } from '#platform/database/database.ts';
import { operation } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { takePlaces } from '../revocation/status-lists.ts';
import {
  active_credentials_max,
  addCertainty,
  attestationTiers,
  checkClaims,
  computeExpiry,
  credentialTypes,
  expiry_days_max,
  isAssessmentBased,
  verifyClaims,
  type AttestationTier,
  type Claims,
  type CredentialType,
  computeTraitCoverage,
  type KnownFacts,
} from '../rules.ts';
import { buildIssuer } from '../signing/issuer.ts';
import { countCredentials } from '../store.ts';
import { credentialWire, requestedClaimsWire, toWire } from '../wire.ts';
import { issueCredentials } from './issue-credentials.ts';
import { findArchetype } from '#modules/measurement/archetypes';
import { listPlacements } from '#modules/matching/matches';
import { findMeasurement } from '#modules/measurement/traits';

export const issueCredential = operation({
  name: 'credentials.issueCredential',
  summary:
    'Issues a credential in four forms: W3C vc+jwt, SD-JWT VC, a compact attestation token and an Open Badge.',
  who: ['member', 'platform_admin'],
  input: Type.Object({
    member_id: Type.Optional(uuid),
    credential_type: Type.Enum(credentialTypes),
    attestation_tier: Type.Optional(Type.Enum(attestationTiers, { default: 'self_attested' })),
    claims: Type.Optional(requestedClaimsWire),
    expiry_days: Type.Optional(
      field(
        Type.Integer({ minimum: 1, maximum: expiry_days_max, default: 365 }),
        'After how many days the credential expires.',
        365,
      ),
    ),
  }),
  output: { 201: credentialWire },
  location: ({ id }) => `/credentials/${id}`,
  refuses: [
    'account_pending_deletion',
    'attestation_tier_not_allowed',
    'claim_not_verified',
    'consent_required',
    'credentials_full',
    'email_not_verified',
    'member_not_found',
  ],
  idempotent: true,
  samples: {
    request: {
      credential_type: 'trait_attestation',
      claims: { archetype_family: 'wayfinding', archetype: 'compass', trait_coverage: 0.9 },
      expiry_days: 365,
    },
  },
  tools: [
    {
      name: 'issue_credential',
      title: 'Issue a credential',
      kind: 'write',
      roles: ['member'],
      consent: 'Issue credentials about you',
      description:
        'Issues a self-attested credential about the person from what the service knows, such as the archetype, and returns it in four signed forms. Needs a verified email address and consent to credential_sharing. Members can issue only the tier self_attested.',
    },
  ],
  checks: [
    ({ member_id }, { caller }) => {
      if (caller.role === 'platform_admin' && member_id === undefined)
        throw createFieldRefusal('field_invalid', '/member_id', 'is required');
    },
    ({ credential_type, attestation_tier = 'self_attested', claims = {} }, { caller }) => {
      // What a role may not issue at all is refused as such.
      if (caller.role !== 'member' || attestation_tier === 'self_attested')
        checkClaims(credential_type, attestation_tier, claims);
    },
  ],
  run: async (context, input) => {
    const { credential_type, attestation_tier = 'self_attested', claims = {}, expiry_days = 365 } = input;
    const member_id = requireSubject(context.caller, input.member_id);
    if (context.caller.role === 'member' && attestation_tier !== 'self_attested')
      throw new Refusal('attestation_tier_not_allowed');
    const places = await takePlaces(context, 1);
    return context.transaction(async (tx) => {
      const now = context.now();
      await checkSubject(tx, member_id, now);
      const certain = await attestClaims(tx, member_id, { credential_type, attestation_tier, claims });
      const expires_at = computeExpiry(now, expiry_days);
      const draft = { member_id, credential_type, attestation_tier, claims: certain, expires_at };
      const [credential] = await issueCredentials(context, tx, [draft], places);
      const detail = { credential_id: credential!.id, credential_type, attestation_tier };
      await recordCallerAudit(context, tx, { action: 'credentials.issued', member_id, detail });
      return toWire(credential!, buildIssuer(context.config.publicUrl).did, now);
    });
  },
});

/** Members issue credentials only about themselves; a platform administrator names the member. */
function requireSubject(
  caller: Extract<LoggedInCaller, { role: 'member' | 'platform_admin' }>,
  member_id: string | undefined,
): string {
  // The checks of the operation have required it.
  if (caller.role === 'platform_admin') return member_id!;
  if (member_id !== undefined && member_id !== caller.member_id)
    throw new Refusal('role_not_allowed', { detail: 'Members can issue credentials only about themselves.' });
  return caller.member_id;
}

/**
 * Locks the member, so that no credential is issued during the erasure of the member, and checks that the member can hold another one.
 *
 * @throws Refusal `member_not_found`, `account_pending_deletion`, `email_not_verified`, `credentials_full`.
 */
export async function checkSubject(tx: Transaction, member_id: string, now: Date): Promise<void> {
  const active = { member_id, status: 'active', credential_type: undefined } as const;
  // The count runs after the lock, so that it includes what another request has just issued.
  const [member, count] = await Promise.all([lockMember(tx, member_id), countCredentials(tx, active, now)]);
  if (!member) throw new Refusal('member_not_found');
  if (member.account_status === 'pending_deletion') throw new Refusal('account_pending_deletion');
  if (!member.email_verified) throw new Refusal('email_not_verified');
  if (count >= active_credentials_max) throw new Refusal('credentials_full');
}

type ClaimsRequest = {
  readonly credential_type: CredentialType;
  readonly attestation_tier: AttestationTier;
  readonly claims: Claims;
};

/**
 * The service vouches only for facts that it knows, and for facts from the assessment only while the member consents. Members choose which archetype
 * they declare while nothing is measured; how much of them was measured, and how certain their archetype is, is the word of the service in every tier.
 *
 * @throws Refusal `claim_not_verified`, `consent_required`.
 */
export async function attestClaims(
  tx: Transaction,
  member_id: string,
  request: ClaimsRequest,
): Promise<Claims> {
  return addCertainty(await verifyRequest(tx, member_id, request), await findArchetype(tx, member_id));
}

async function verifyRequest(
  tx: Transaction,
  member_id: string,
  { credential_type, attestation_tier, claims }: ClaimsRequest,
): Promise<Claims> {
  // Only an organisation vouches for an org_validation, so `checkClaims` has refused any other tier.
  if (attestation_tier === 'self_attested') return fillMeasured(tx, member_id, claims);
  if (attestation_tier !== 'platform_verified' || credential_type === 'org_validation') return claims;
  if (isAssessmentBased(credential_type)) await requireConsent(tx, member_id, 'assessment_data');
  return verifyClaims(credential_type, claims, await findKnownFacts(tx, member_id));
}

/** Replaces the claimed share of measured traits by the true one, if the member has been measured. */
async function fillMeasured(tx: Transaction, member_id: string, claims: Claims): Promise<Claims> {
  if (claims.trait_coverage === undefined) return claims;
  const measurement = await findMeasurement(tx, member_id);
  return measurement ? { ...claims, trait_coverage: computeTraitCoverage(measurement.variance) } : claims;
}

/** The facts about a member that the service can vouch for. */
async function findKnownFacts(db: Reader, member_id: string): Promise<KnownFacts> {
  return {
    measured: await findMeasuredFacts(db, member_id),
    placements: await listPlacements(db, member_id),
  };
}

/**
 * A preliminary result shows how much was measured. It neither completes the assessment nor supports an archetype, which is attested only if
 * its family is certain.
 */
async function findMeasuredFacts(db: Reader, member_id: string): Promise<KnownFacts['measured']> {
  const measurement = await findMeasurement(db, member_id);
  if (!measurement) return undefined;
  const trait_coverage = computeTraitCoverage(measurement.variance);
  if (measurement.stage !== 'complete') return { trait_coverage };
  const assigned = await findArchetype(db, member_id);
  return {
    ...(assigned?.certainty === 'high' && assigned.archetype && assigned.archetype_family
      ? { archetype_family: assigned.archetype_family, archetype: assigned.archetype }
      : {}),
    trait_coverage,
    assessment_completed_on: measurement.completed_at.toISOString().slice(0, 10),
  };
}
