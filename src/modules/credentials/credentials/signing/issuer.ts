import { cacheResults } from '#lib/cache-results.ts';
import type { AttestationTier, ClaimName, Claims, CredentialType } from '../rules.ts';

/** The names and URLs under which this service issues credentials, all derived from its public URL. */
export type Issuer = {
  /** The issuer in attestation tokens, SD-JWT VCs and Status List Tokens, whose verifiers look for keys at this URL. */
  readonly url: string;
  /** The issuer in W3C credentials, and in SD-JWT VCs for wallets that use DIDs: did:web of the public URL. */
  readonly did: string;
  /** The URL of the JSON-LD context of the service's own terms. */
  readonly context: string;
  /** The URL of the context of the terms that were added later, for credentials that use one of them. */
  readonly added_context: string;
  /** The prefix of the service's own terms. */
  readonly vocabulary: string;
};

/** A process has one public URL, and tests have a few. */
const issuers_max = 10;

/** The issuer of a public URL such as `https://tessera.example` (did:web Method Specification: a port's colon is percent-encoded). */
export const buildIssuer = cacheResults(issuers_max, (publicUrl): Issuer => {
  const { host } = new URL(publicUrl);
  return {
    url: publicUrl,
    did: `did:web:${encodeURIComponent(host)}`,
    context: `${publicUrl}/contexts/credentials/v1`,
    added_context: `${publicUrl}/contexts/credentials/v2`,
    vocabulary: `${publicUrl}/vocabulary#`,
  };
});

/** The id of a key's verification method in the issuer's DID document. */
export function buildMethodId({ did }: Issuer, kid: string): string {
  return `${did}#${kid}`;
}

/** The key id in the id of a verification method of this issuer; undefined for a method of another issuer. */
export function readMethodKid({ did }: Issuer, method: string): string | undefined {
  return method.startsWith(`${did}#`) ? method.slice(did.length + 1) : undefined;
}

export function buildStatusListUrl({ url }: Issuer, list_id: string): string {
  return `${url}/api/v1/credentials/status-lists/${list_id}`;
}

export function buildTokenStatusListUrl({ url }: Issuer, list_id: string): string {
  return `${url}/api/v1/credentials/token-status-lists/${list_id}`;
}

/** The Verifiable Credential Type (`vct`) of an SD-JWT VC, which is also the URL of its metadata. */
export function buildVctUrl({ url }: Issuer, type: CredentialType): string {
  return `${url}/vct/${type}`;
}

type BadgeKey = { readonly credential_type: CredentialType; readonly attestation_tier: AttestationTier };

/** The id of the achievement of a type in a tier, where its definition can be read. */
export function buildAchievementUrl(
  { url }: Issuer,
  { credential_type, attestation_tier }: BadgeKey,
): string {
  return `${url}/achievements/${credential_type}/${attestation_tier}`;
}

/** The address of the picture of an achievement, without a credential in it. */
export function buildBadgeImageUrl(issuer: Issuer, key: BadgeKey): string {
  return `${buildAchievementUrl(issuer, key)}/badge.png`;
}

/** The names of the credential types in W3C credentials. */
export const vcTypes = {
  trait_attestation: 'TraitAttestation',
  archetype_attestation: 'ArchetypeAttestation',
  assessment_completion: 'AssessmentCompletion',
  placement_attestation: 'PlacementAttestation',
  org_validation: 'OrganisationValidation',
} as const satisfies Readonly<Record<CredentialType, string>>;

/** The list of the service's own terms, with their meanings for human readers. */
export const termMeanings = {
  TraitAttestation: 'A summary of a member’s measured traits that reveals no value of a trait.',
  ArchetypeAttestation: 'The archetype that is closest to a member’s traits.',
  AssessmentCompletion: 'The completion of the assessment by a member.',
  PlacementAttestation: 'The placement of a member in a job.',
  OrganisationValidation: 'The statement of an organisation about a member.',
  attestation_tier: 'Who vouches for the claims: self_attested, platform_verified or org_validated.',
  archetype_family:
    'The family of the archetype, which groups archetypes by their main contribution to shared work.',
  archetype: 'The archetype that is closest to the member’s traits.',
  archetype_certainty:
    'How probable it is that another assessment leads to the same family: high from 0.8 on, medium from 0.7 on.',
  trait_coverage: 'The share of the twenty traits of MVP-20 that are measured, from 0 to 1.',
  assessment_completed_on: 'The day on which the assessment was completed.',
  job_title: 'The title of the job.',
  organisation_name: 'The name of the organisation.',
  statement: 'The statement of the organisation, in its own words.',
} as const;

/** Terms that were added after the first context was published, which never changes. They are in a context of their own. */
export const addedTermMeanings = {
  organisation_domain: 'A domain that the organisation had proven to be its own.',
  placed_on: 'The day on which the placement began.',
  ended_on: 'The day on which the placement ended.',
  achievement_id: 'The achievement, as its organisation has defined it.',
  achievement_name: 'The name of the achievement.',
  achievement_criteria: 'What somebody does to earn the achievement.',
  achievement_image: 'The picture of the achievement.',
  achievement_alignment: 'What the achievement corresponds to in frameworks of skills and occupations.',
} as const;

/** The contexts of the terms that claims use. */
export function listContexts({ context, added_context }: Issuer, claims: Claims): readonly string[] {
  return Object.keys(claims).some((name) => name in addedTermMeanings) ? [context, added_context] : [context];
}

/** What each claim means, for human readers. */
export const claimMeanings: Readonly<Record<ClaimName, string>> = { ...termMeanings, ...addedTermMeanings };

/** The subject id in a member's credentials. */
export function buildSubjectId(member_id: string): string {
  return `urn:uuid:${member_id}`;
}
