import { createFieldRefusal, type Refusal } from '#lib/refusal.ts';
import { runAllChecks } from '#lib/run-all-checks.ts';

/** What a credential attests. */
export const credentialTypes = [
  'trait_attestation',
  'archetype_attestation',
  'assessment_completion',
  'placement_attestation',
  'org_validation',
] as const;

export type CredentialType = (typeof credentialTypes)[number];

/** Who vouches for the claims: only the member, the service based on its records, or an organisation. */
export const attestationTiers = ['self_attested', 'platform_verified', 'org_validated'] as const;

export type AttestationTier = (typeof attestationTiers)[number];

export const credentialStatuses = ['active', 'revoked', 'expired'] as const;

export type CredentialStatus = (typeof credentialStatuses)[number];

/** Whether anyone who knows only the id of a credential may see its content. */
export const visibilities = ['private', 'public'] as const;

export type Visibility = (typeof visibilities)[number];

/** What a credential states about its subject. No claim reveals the value of a trait: `trait_coverage` says how much was measured. */
export type Claims = {
  readonly archetype_family?: string;
  readonly archetype?: string;
  /** How certain the family of the archetype is: only the service states it, of what it has measured. */
  readonly archetype_certainty?: 'high' | 'medium';
  /** The share of the twenty traits that are measured, 0 to 1, in two decimals. */
  readonly trait_coverage?: number;
  /** A date, YYYY-MM-DD. */
  readonly assessment_completed_on?: string;
  readonly job_title?: string;
  readonly organisation_name?: string;
  /** A domain that the organisation has proven: only the service states it. */
  readonly organisation_domain?: string;
  readonly statement?: string;
  /** The day on which a placement began, and the day on which it ended, YYYY-MM-DD. */
  readonly placed_on?: string;
  readonly ended_on?: string;
  /** An achievement that the organisation has defined. Nothing of it changes once it was offered. */
  readonly achievement_id?: string;
  readonly achievement_name?: string;
  readonly achievement_criteria?: string;
  /** The URL of its picture. */
  readonly achievement_image?: string;
  /** What it corresponds to: at least one place, and at most ten. */
  readonly achievement_alignment?: readonly Alignment[];
};

/** A place in a framework of skills or occupations, in the words of Open Badges 3.0 (class Alignment). */
export type Alignment = {
  readonly targetName: string;
  readonly targetUrl: string;
  readonly targetFramework: string;
  /** Left out where the URL is the code. */
  readonly targetCode?: string;
};

export type ClaimName = keyof Claims;

/** The claims that a request may make for each type of credential. */
const requestableClaims = {
  trait_attestation: ['archetype_family', 'archetype', 'trait_coverage'],
  archetype_attestation: ['archetype_family', 'archetype'],
  assessment_completion: ['assessment_completed_on', 'trait_coverage'],
  placement_attestation: ['job_title', 'organisation_name'],
  org_validation: ['organisation_name', 'job_title', 'statement'],
} as const satisfies Readonly<Record<CredentialType, readonly ClaimName[]>>;

/** The claims that a credential of each type can have. */
export const claimNames: Readonly<Record<CredentialType, readonly ClaimName[]>> = {
  ...requestableClaims,
  trait_attestation: [...requestableClaims.trait_attestation, 'archetype_certainty'],
  archetype_attestation: [...requestableClaims.archetype_attestation, 'archetype_certainty'],
  placement_attestation: [
    ...requestableClaims.placement_attestation,
    'organisation_domain',
    'placed_on',
    'ended_on',
  ],
  org_validation: [
    ...requestableClaims.org_validation,
    'organisation_domain',
    'achievement_id',
    'achievement_name',
    'achievement_criteria',
    'achievement_image',
    'achievement_alignment',
  ],
};

/**
 * The tiers in which each type may be issued. Members may state only what describes themselves; a type that reports a deed or the word of
 * another party needs the tier that vouches for it.
 */
export const allowedTiers: Readonly<Record<CredentialType, readonly AttestationTier[]>> = {
  trait_attestation: ['self_attested', 'platform_verified'],
  archetype_attestation: ['self_attested', 'platform_verified'],
  assessment_completion: ['platform_verified'],
  placement_attestation: ['platform_verified', 'org_validated'],
  org_validation: ['org_validated'],
};

/** Whether the claims of a type are based on the member's assessment. */
export function isAssessmentBased(type: CredentialType): boolean {
  return type !== 'placement_attestation' && type !== 'org_validation';
}

/** What the service itself knows about a member. */
export type KnownFacts = {
  /** Undefined before the first measurement. Facts that a preliminary result or an uncertain archetype cannot support are missing. */
  readonly measured:
    | Pick<Claims, 'archetype_family' | 'archetype' | 'trait_coverage' | 'assessment_completed_on'>
    | undefined;
  /** The member's placements, newest first. */
  readonly placements: readonly Required<Pick<Claims, 'job_title' | 'organisation_name'>>[];
};

/**
 * Refuses a tier or claims that the credential's type does not have, a credential without claims unless the service supplies them, and one
 * for which an organisation vouches that it does not name.
 *
 * @throws Refusal `field_invalid`.
 */
export function checkClaims(type: CredentialType, tier: AttestationTier, claims: Claims): void {
  runAllChecks(
    () => checkTier(type, tier),
    ...Object.keys(claims).map((name) => () => checkClaimName(type, name)),
    () => checkPresence(tier, claims),
  );
}

function checkTier(type: CredentialType, tier: AttestationTier): void {
  if (allowedTiers[type].includes(tier)) return;
  const reason = `must be ${allowedTiers[type].join(' or ')} for the type ${type}`;
  throw createFieldRefusal('field_invalid', '/attestation_tier', reason);
}

function checkClaimName(type: CredentialType, name: string): void {
  const allowed: readonly string[] = requestableClaims[type];
  if (allowed.includes(name)) return;
  const reason = `is not a claim of ${type}, whose claims are ${allowed.join(', ')}`;
  throw createFieldRefusal('field_invalid', `/claims/${name}`, reason);
}

function checkPresence(tier: AttestationTier, claims: Claims): void {
  if (tier !== 'platform_verified' && Object.keys(claims).length === 0)
    throw createFieldRefusal('field_invalid', '/claims', 'must contain at least one claim');
  if (tier === 'org_validated' && claims.organisation_name === undefined)
    throw createFieldRefusal(
      'field_invalid',
      '/claims/organisation_name',
      'is required: it names the organisation that vouches for the credential',
    );
}

/** The types for which the service itself can vouch. */
export type VerifiableType = Exclude<CredentialType, 'org_validation'>;

/**
 * Returns the claims that the service vouches for: the requested claims, each of which must match what the service knows, or all claims
 * that it knows if none are requested.
 *
 * @throws Refusal `claim_not_verified`, naming the claim.
 */
export function verifyClaims(type: VerifiableType, requested: Claims, known: KnownFacts): Claims {
  return type === 'placement_attestation'
    ? verifyPlacement(requested, known)
    : verifyMeasurement(type, requested, known);
}

function verifyPlacement(requested: Claims, { placements }: KnownFacts): Claims {
  const verified = placements.find((placement) =>
    requestableClaims.placement_attestation.every(
      (name) => (requested[name] ?? placement[name]) === placement[name],
    ),
  );
  if (verified) return verified;
  throw createUnverifiedRefusal('/claims', 'must match a placement of the member');
}

function verifyMeasurement(
  type: Exclude<VerifiableType, 'placement_attestation'>,
  requested: Claims,
  { measured }: KnownFacts,
): Claims {
  if (!measured)
    throw createUnverifiedRefusal('/claims', 'cannot be verified before the member has been measured');
  const names = requestableClaims[type].filter((name) =>
    Object.keys(requested).length === 0 ? measured[name] !== undefined : name in requested,
  );
  const wrong = names.find((name) => name in requested && requested[name] !== measured[name]);
  if (wrong !== undefined)
    throw createUnverifiedRefusal(`/claims/${wrong}`, 'must match what the service has measured');
  if (definingClaims[type].some((name) => measured[name] === undefined))
    throw createUnverifiedRefusal(
      '/claims',
      'cannot be verified from a preliminary result or an archetype that is not certain: a complete assessment, or another one, can change that',
    );
  return Object.fromEntries(names.map((name) => [name, measured[name]]));
}

/** What is known about the archetype of a member who has been measured. */
export type MeasuredArchetype = {
  /** Null if the family is not certain enough. */
  readonly archetype: string | null;
  readonly archetype_family: string | null;
  readonly certainty: 'high' | 'medium' | 'low';
  readonly preliminary: boolean;
};

/**
 * Adds the certainty of an archetype where claims name it or its family. Of a member who has been measured, the service signs only the one that it has
 * found, and from medium certainty on, in every tier. `measured` is undefined for a member who has not been measured: a self-attested archetype is then
 * their word alone, and has no certainty.
 *
 * @throws Refusal `claim_not_verified`, which says what would change it.
 */
export function addCertainty(claims: Claims, measured: MeasuredArchetype | undefined): Claims {
  const named = (['archetype_family', 'archetype'] as const).filter((name) => claims[name] !== undefined);
  if (named.length === 0 || !measured) return claims;
  const { certainty } = measured;
  if (certainty === 'low') throw createUnverifiedRefusal(`/claims/${named[0]!}`, describeWayOut(measured));
  const wrong = named.find((name) => claims[name] !== measured[name]);
  if (wrong !== undefined)
    throw createUnverifiedRefusal(`/claims/${wrong}`, 'must match what the service has measured');
  return { ...claims, archetype_certainty: certainty };
}

function describeWayOut({ preliminary }: MeasuredArchetype): string {
  return preliminary
    ? 'is not certain enough to be certified: the second part of the assessment makes it more certain'
    : 'is not certain enough to be certified: another assessment can make it more certain';
}

/** The claims without which a credential of the type would state nothing. */
const definingClaims = {
  trait_attestation: ['trait_coverage'],
  archetype_attestation: ['archetype_family'],
  assessment_completion: ['assessment_completed_on'],
} as const satisfies Partial<Record<CredentialType, readonly ClaimName[]>>;

function createUnverifiedRefusal(pointer: string, reason: string): Refusal {
  return createFieldRefusal('claim_not_verified', pointer, reason);
}

/** The share of the traits that are measured, in two decimals. A trait counts as measured when its variance, which starts at 1, is below 0.5. */
export function computeTraitCoverage(variances: readonly number[]): number {
  const measured = variances.filter((variance) => variance < 0.5).length;
  return Math.round((100 * measured) / variances.length) / 100;
}

/** What decides a credential's status. */
export type Lifetime = { readonly expires_at: Date; readonly revoked_at: Date | null };

/** A credential expires on its date without any action. A revoked credential stays revoked. */
export function computeCredentialStatus({ expires_at, revoked_at }: Lifetime, now: Date): CredentialStatus {
  if (revoked_at) return 'revoked';
  return expires_at.getTime() <= now.getTime() ? 'expired' : 'active';
}

/** The time when a credential expires: `expiry_days` times 24 hours from now, in whole seconds as in tokens. */
export function computeExpiry(now: Date, expiry_days: number): Date {
  return new Date(truncateToSeconds(now).getTime() + expiry_days * 86_400_000);
}

/** Drops the fraction of a second: tokens contain times in seconds, and the record must match them. */
export function truncateToSeconds(now: Date): Date {
  return new Date(Math.floor(now.getTime() / 1000) * 1000);
}

/** The largest number of active credentials of one member. */
export const active_credentials_max = 500;

/** The longest validity of a credential, in days. */
export const expiry_days_max = 3_650;

/** Whether a token with these times is valid now. Clocks may differ by up to `future_seconds`. */
export function computeExpiryCheck(
  { issued_at_s, expires_at_s }: { readonly issued_at_s: number; readonly expires_at_s: number },
  now: Date,
): 'passed' | 'expired' | 'not_yet_valid' {
  const now_s = now.getTime() / 1000;
  if (now_s >= expires_at_s) return 'expired';
  return now_s + future_seconds < issued_at_s ? 'not_yet_valid' : 'passed';
}

const future_seconds = 60;

/** The engagement level (Augmented) from which members may share credentials. */
export const sharing_level = 3;

/** Whether anyone who knows the id of a public credential may see its content: only while its member consents and has the level. */
export function mayShowContent({
  consented,
  level,
}: {
  readonly consented: boolean;
  readonly level: number;
}): boolean {
  return consented && level >= sharing_level;
}
