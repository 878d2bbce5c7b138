import type { Static } from 'typebox';
import type { credentialVerificationWire } from '#modules/credentials';

export type CredentialVerification = Static<typeof credentialVerificationWire>;
type ShownCredential = NonNullable<CredentialVerification['credential']>;

/** What stands on the verify page, on paper and on the screen, in words for people who know nothing of credentials. */
export type Verdict = {
  readonly tone: 'good' | 'bad' | 'open';
  /** One sentence; everything else explains it. */
  readonly headline: string;
  readonly explanation: readonly string[];
  /** The heading over the facts, and the facts; none where the member shows nothing. */
  readonly facts: { readonly heading: string; readonly rows: readonly Fact[] } | undefined;
  readonly checks: readonly Fact[];
};

export type Fact = { readonly label: string; readonly value: string };

/** The verdict upon an id that belongs to no credential. */
export const unknownVerdict: Verdict = {
  tone: 'bad',
  headline: 'There is no such credential',
  explanation: [
    'No credential has this number. It may be mistyped, or the credential may have been deleted together with its holder’s account.',
    'Do not rely on a credential that sent you here. Ask its holder for a new link.',
  ],
  facts: undefined,
  checks: [],
};

/** The verdict upon a stored credential: what was checked, and of what it says only what its member shows. */
export function buildVerdict(verified: CredentialVerification): Verdict {
  const finding = computeFinding(verified);
  return {
    ...findings[finding](verified),
    facts: buildFacts(finding, verified),
    checks: buildChecks(verified),
  };
}

type Finding = 'valid' | 'revoked' | 'expired' | 'unproven';

function computeFinding({ valid, status, checks }: CredentialVerification): Finding {
  if (status === 'revoked' || checks.revocation === 'revoked') return 'revoked';
  if (status === 'expired' || checks.expiry === 'expired') return 'expired';
  return valid ? 'valid' : 'unproven';
}

type VerdictText = Pick<Verdict, 'tone' | 'headline' | 'explanation'>;

const findings: Readonly<Record<Finding, (verified: CredentialVerification) => VerdictText>> = {
  valid: ({ credential }) => ({
    tone: 'good',
    headline: 'This credential is valid',
    explanation: [
      'It was issued here, nothing in it has been changed, it has not expired and it has not been taken back.',
      ...(credential?.attestation_tier === 'self_attested' ? [selfAttestedNote] : []),
      credential ? holderNote : `${hiddenNote} Ask the holder to show it to you.`,
    ],
  }),
  revoked: () => ({
    tone: 'bad',
    headline: 'This credential was revoked',
    explanation: [
      'It was issued here and has been taken back since. What it said counts no longer, and is not shown.',
      'Do not rely on it, whatever a copy of it says. Ask its holder for a credential that is valid.',
    ],
  }),
  expired: ({ credential }) => ({
    tone: 'bad',
    headline: 'This credential has expired',
    explanation: [
      'It was issued here and held for a limited time, which is over. Ask its holder for a new one.',
      credential ? holderNote : hiddenNote,
    ],
  }),
  unproven: () => ({
    tone: 'bad',
    headline: 'This credential could not be verified',
    explanation: [
      'A check failed or could not be made just now. Do not rely on it. You can try again later.',
    ],
  }),
};

const selfAttestedNote =
  'Valid means genuine, and no more: what it says is the holder’s own word, which nobody has checked.';
const hiddenNote = 'Its holder has chosen not to show what it says to people who only have this link.';
const holderNote =
  'This page does not say who the holder is. To know that the credential belongs to the person in front of you, have them present it from their wallet.';

function buildFacts(finding: Finding, { credential }: CredentialVerification): Verdict['facts'] {
  if (!credential || finding === 'revoked' || finding === 'unproven') return undefined;
  return {
    heading: finding === 'valid' ? 'What it says' : 'What it said while it was valid',
    rows: buildRows(credential),
  };
}

function buildRows({
  credential_type,
  attestation_tier,
  claims,
  issued_at,
  expires_at,
}: ShownCredential): readonly Fact[] {
  return [
    { label: 'Kind of credential', value: typeWords[credential_type] },
    { label: 'Who vouches for it', value: tierWords[attestation_tier] },
    ...Object.entries(claims).map(([name, value]) => ({
      label: claimWords[name as keyof typeof claimWords],
      value: formatClaim(name, value),
    })),
    { label: 'Issued on', value: formatDay(issued_at) },
    { label: 'Valid until', value: formatDay(expires_at) },
  ];
}

const typeWords: Readonly<Record<ShownCredential['credential_type'], string>> = {
  trait_attestation: 'Measured traits, without any score',
  archetype_attestation: 'Archetype: the pattern of ways of working that the holder is nearest to',
  assessment_completion: 'Completed assessment',
  placement_attestation: 'Placement in a job',
  org_validation: 'Statement of an organisation',
};

const tierWords: Readonly<Record<ShownCredential['attestation_tier'], string>> = {
  self_attested: 'The holder alone. Nobody has checked it.',
  platform_verified: 'This service, from what it has measured or recorded itself.',
  org_validated: 'The organisation named in it.',
};

const claimWords: Readonly<Record<keyof ShownCredential['claims'], string>> = {
  archetype_family: 'Archetype family',
  archetype: 'Archetype',
  trait_coverage: 'How much was measured',
  assessment_completed_on: 'Assessment completed on',
  job_title: 'Job',
  organisation_name: 'Organisation',
  statement: 'Statement, in its author’s own words',
};

function formatClaim(name: string, value: unknown): string {
  if (typeof value === 'number') return `${Math.round(value * 100)} % of the twenty traits`;
  const text = String(value);
  return name === 'assessment_completed_on' ? formatDay(text) : text;
}

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** A day as people write it, such as `2 March 2026`; a text that is no time stays as it is. */
function formatDay(time: string): string {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? time : days.format(ms);
}

function buildChecks({ checks }: CredentialVerification): readonly Fact[] {
  return [
    { label: 'Signature', value: signatureWords[checks.signature] },
    { label: 'Expiry', value: expiryWords[checks.expiry] },
    { label: 'Revocation', value: revocationWords[checks.revocation] },
  ];
}

const notCheckedText = 'Not checked, because an earlier check failed.';

const signatureWords: Readonly<Record<CredentialVerification['checks']['signature'], string>> = {
  passed: 'Right: this service signed it, and nothing was changed since.',
  wrong: 'Wrong.',
  not_checked: notCheckedText,
};

const expiryWords: Readonly<Record<CredentialVerification['checks']['expiry'], string>> = {
  passed: 'Not expired.',
  expired: 'Expired.',
  not_yet_valid: 'Not valid yet.',
  not_checked: notCheckedText,
};

const revocationWords: Readonly<Record<CredentialVerification['checks']['revocation'], string>> = {
  passed: 'Not revoked.',
  revoked: 'Revoked.',
  unknown: 'Could not be found out just now.',
  not_checked: notCheckedText,
};
