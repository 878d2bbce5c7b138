import type { CredentialType } from '../rules.ts';

/** Under which names and addresses this service issues: everything follows from its public URL. */
export type Issuer = {
  /** The name in attestation tokens and SD-JWT VCs, whose verifiers look for keys at this URL. */
  readonly url: string;
  /** The name in W3C credentials: did:web of the public URL. */
  readonly did: string;
  /** The JSON-LD context of our own terms. */
  readonly context: string;
  /** The prefix of our own terms. */
  readonly vocabulary: string;
};

/** The issuer of a public URL such as `https://tessera.example` (did:web Method Specification: a port's colon is percent-encoded). */
export function buildIssuer(publicUrl: string): Issuer {
  const { host } = new URL(publicUrl);
  return {
    url: publicUrl,
    did: `did:web:${host.replace(':', '%3A')}`,
    context: `${publicUrl}/contexts/credentials/v1`,
    vocabulary: `${publicUrl}/vocabulary#`,
  };
}

/** The verification method of a key in the issuer's DID document. */
export function buildMethodId({ did }: Issuer, kid: string): string {
  return `${did}#${kid}`;
}

/** The Bitstring Status List credential of a list. */
export function buildStatusListUrl({ url }: Issuer, list_id: string): string {
  return `${url}/api/v1/credentials/status-lists/${list_id}`;
}

/** The Status List Token of the same list. */
export function buildTokenStatusListUrl({ url }: Issuer, list_id: string): string {
  return `${url}/api/v1/credentials/token-status-lists/${list_id}`;
}

/** The Verifiable Credential Type (`vct`) of an SD-JWT VC; its metadata is at this URL. */
export function buildVctUrl({ url }: Issuer, type: CredentialType): string {
  return `${url}/vct/${type}`;
}

/** The names of the credential types in W3C credentials. */
export const vcTypes = {
  trait_attestation: 'TraitAttestation',
  archetype_attestation: 'ArchetypeAttestation',
  assessment_completion: 'AssessmentCompletion',
  placement_attestation: 'PlacementAttestation',
  org_validation: 'OrganisationValidation',
} as const satisfies Readonly<Record<CredentialType, string>>;

/** What our own terms mean, for people; also the list of them. */
export const termMeanings = {
  TraitAttestation: 'What a member’s measured traits amount to, without any number of a trait.',
  ArchetypeAttestation: 'Which archetype a member’s traits are nearest to.',
  AssessmentCompletion: 'That a member has completed the assessment.',
  PlacementAttestation: 'That a member was placed in a job.',
  OrganisationValidation: 'What an organisation says of a member.',
  attestation_tier: 'Who vouches for the claims: self_attested, platform_verified or org_validated.',
  archetype_family: 'The family of the archetype: what people of that shape bring to shared work first.',
  archetype: 'The archetype that the member’s traits are nearest to.',
  trait_coverage: 'The share of the twenty traits of MVP-20 that are measured, 0 to 1.',
  assessment_completed_on: 'The day on which the assessment was completed.',
  job_title: 'The title of the job.',
  organisation_name: 'The name of the organisation.',
  statement: 'What the organisation says, in its own words.',
} as const;

/** The subject of a member's credentials. */
export function buildSubjectId(member_id: string): string {
  return `urn:uuid:${member_id}`;
}
