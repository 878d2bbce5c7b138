import { createFieldRefusal, type Refusal } from '#lib/refusal.ts';

/** What a credential attests. */
export const credentialTypes = [
  'trait_attestation',
  'archetype_attestation',
  'assessment_completion',
  'placement_attestation',
  'org_validation',
] as const;

export type CredentialType = (typeof credentialTypes)[number];

/** Who vouches for the claims: the member alone, the service by what it knows, or an organisation. */
export const attestationTiers = ['self_attested', 'platform_verified', 'org_validated'] as const;

export type AttestationTier = (typeof attestationTiers)[number];

export const credentialStatuses = ['active', 'revoked', 'expired'] as const;

export type CredentialStatus = (typeof credentialStatuses)[number];

/** Whether those who have a credential's id, and not the credential itself, are told what it says. */
export const visibilities = ['private', 'public'] as const;

export type Visibility = (typeof visibilities)[number];

/** What a credential says of its subject. No claim is a number of a trait: `trait_coverage` tells how much was measured, not what. */
export type Claims = {
  readonly archetype_family?: string;
  readonly archetype?: string;
  /** The share of the twenty traits that are measured, 0 to 1, in two decimals. */
  readonly trait_coverage?: number;
  /** A date, YYYY-MM-DD. */
  readonly assessment_completed_on?: string;
  readonly job_title?: string;
  readonly organisation_name?: string;
  readonly statement?: string;
};

export type ClaimName = keyof Claims;

/** The claims that each type of credential may make. */
export const claimNames = {
  trait_attestation: ['archetype_family', 'archetype', 'trait_coverage'],
  archetype_attestation: ['archetype_family', 'archetype'],
  assessment_completion: ['assessment_completed_on', 'trait_coverage'],
  placement_attestation: ['job_title', 'organisation_name'],
  org_validation: ['organisation_name', 'job_title', 'statement'],
} as const satisfies Readonly<Record<CredentialType, readonly ClaimName[]>>;

/** The types whose claims come from the assessment, and from nowhere else. */
export function isAssessmentBased(type: CredentialType): boolean {
  return type !== 'placement_attestation' && type !== 'org_validation';
}

/** What the service itself knows of a member. */
export type KnownFacts = {
  /** Undefined before the assessment has measured anything. */
  readonly measured:
    | Required<Pick<Claims, 'archetype_family' | 'archetype' | 'trait_coverage' | 'assessment_completed_on'>>
    | undefined;
  /** The member's placements, the newest first. */
  readonly placements: readonly Required<Pick<Claims, 'job_title' | 'organisation_name'>>[];
};

/**
 * Refuses claims that are not of the credential's type, and a credential that its member attests without any.
 *
 * @throws Refusal `field_invalid`.
 */
export function checkClaims(type: CredentialType, tier: AttestationTier, claims: Claims): void {
  const allowed: readonly string[] = claimNames[type];
  const strange = Object.keys(claims).find((name) => !allowed.includes(name));
  if (strange !== undefined)
    throw createFieldRefusal(
      'field_invalid',
      `/claims/${strange}`,
      `is no claim of a ${type}, which has ${allowed.join(', ')}`,
    );
  if (tier !== 'platform_verified' && Object.keys(claims).length === 0)
    throw createFieldRefusal('field_invalid', '/claims', 'must make a claim');
}

/**
 * The claims as the service vouches for them: those that were asked for, each of which must be what it knows, or everything that it knows
 * where nothing was asked for.
 *
 * @throws Refusal `claim_not_verified`, naming the claim.
 */
export function verifyClaims(type: CredentialType, asked: Claims, known: KnownFacts): Claims {
  if (type === 'org_validation')
    throw createUnverifiedRefusal(
      '/attestation_tier',
      'an organisation vouches for an org_validation, not the service',
    );
  return type === 'placement_attestation'
    ? verifyPlacement(asked, known)
    : verifyMeasurement(type, asked, known);
}

function verifyPlacement(asked: Claims, { placements }: KnownFacts): Claims {
  const found = placements.find((placement) =>
    claimNames.placement_attestation.every((name) => (asked[name] ?? placement[name]) === placement[name]),
  );
  if (found) return found;
  throw createUnverifiedRefusal('/claims', 'the service knows of no such placement');
}

function verifyMeasurement(
  type: Exclude<CredentialType, 'placement_attestation' | 'org_validation'>,
  asked: Claims,
  { measured }: KnownFacts,
): Claims {
  if (!measured) throw createUnverifiedRefusal('/claims', 'the member has not been measured');
  const names = claimNames[type].filter((name) => Object.keys(asked).length === 0 || name in asked);
  const wrong = names.find((name) => name in asked && asked[name] !== measured[name]);
  if (wrong !== undefined)
    throw createUnverifiedRefusal(`/claims/${wrong}`, 'is not what the service has measured');
  return Object.fromEntries(names.map((name) => [name, measured[name]]));
}

function createUnverifiedRefusal(pointer: string, reason: string): Refusal {
  return createFieldRefusal('claim_not_verified', pointer, reason);
}

/** How many of the twenty traits are measured: those of whose uncertainty, 1 before any answer, less than half is left. */
export function computeTraitCoverage(variances: readonly number[]): number {
  const measured = variances.filter((variance) => variance < 0.5).length;
  return Math.round((100 * measured) / variances.length) / 100;
}

/** What decides a credential's status. */
export type Lifetime = { readonly expires_at: Date; readonly revoked_at: Date | null };

/** A credential becomes `expired` by its date, without anybody's doing; one that was revoked stays so. */
export function computeCredentialStatus({ expires_at, revoked_at }: Lifetime, now: Date): CredentialStatus {
  if (revoked_at) return 'revoked';
  return expires_at.getTime() <= now.getTime() ? 'expired' : 'active';
}

/** Days of 24 hours, in whole seconds, as the dates in tokens are. */
export function computeExpiry(now: Date, expiry_days: number): Date {
  return new Date(truncateToSeconds(now).getTime() + expiry_days * 86_400_000);
}

/** Tokens tell the time in seconds, and the record must tell the same. */
export function truncateToSeconds(now: Date): Date {
  return new Date(Math.floor(now.getTime() / 1000) * 1000);
}

/** The active credentials that one member has at most. */
export const active_credentials_max = 500;

/** For how many days a credential may be issued. */
export const expiry_days_max = 3_650;

/** Whether a token of these times can be used now: `future_seconds` of disagreement about the time are forgiven. */
export function computeExpiryCheck(
  { issued_at_s, expires_at_s }: { readonly issued_at_s: number; readonly expires_at_s: number },
  now: Date,
): 'passed' | 'expired' | 'not_yet_valid' {
  const now_s = now.getTime() / 1000;
  if (now_s >= expires_at_s) return 'expired';
  return now_s + future_seconds < issued_at_s ? 'not_yet_valid' : 'passed';
}

const future_seconds = 60;

/** The engagement level, Augmented, from which on credentials may be shared. */
export const sharing_level = 3;

/** Whether a public credential says what it says to whoever has its id: only while its member consents and has the level. */
export function mayShowContent({
  consented,
  level,
}: {
  readonly consented: boolean;
  readonly level: number;
}): boolean {
  return consented && level >= sharing_level;
}
