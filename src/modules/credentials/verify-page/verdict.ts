import { parseTime } from '#lib/outside-values.ts';
import type { Static } from 'typebox';
import { formatAlignment } from '#modules/credentials/achievements';
import type { credentialVerificationWire } from '#modules/credentials/credentials';
import { formatUtcDate } from '#platform/format-utc-time.ts';

export type CredentialVerification = Static<typeof credentialVerificationWire>;
type ShownCredential = NonNullable<CredentialVerification['credential']>;

/** How a verdict looks. `caution`: genuine, but nobody has checked the content, or nobody knows who says it. `open`: it could not be checked. */
export type Tone = 'good' | 'caution' | 'bad' | 'open';

/** The content of the verify page and of its PDF, in words for readers who know nothing about credentials. */
export type Verdict = {
  readonly tone: Tone;
  /** One line, which says all that most readers need. */
  readonly headline: string;
  readonly explanation: readonly string[];
  /** The content of the credential under a heading; undefined if the page does not show it. */
  readonly facts: { readonly heading: string; readonly rows: readonly Fact[] } | undefined;
  readonly checks: readonly Fact[];
  readonly reliance: Reliance;
};

export type Fact = {
  readonly label: string;
  readonly value: string;
  /** The parts of the value, where each leads to another site. */
  readonly links?: readonly Link[];
};

export type Link = { readonly text: string; readonly href: string };

/** What a reader can rely on, and what not. */
export type Reliance = { readonly can: readonly string[]; readonly cannot: readonly string[] };

const relyOnNothing: Reliance = { can: [], cannot: ['Anything that it says.'] };

export const unknownVerdict: Verdict = {
  tone: 'bad',
  headline: 'No such credential.',
  explanation: [
    'No credential has this number. The number may be mistyped, or the credential may have been deleted together with its holder’s account.',
    'Do not rely on a credential that refers to this page. Ask its holder for a new link.',
  ],
  facts: undefined,
  checks: [],
  reliance: relyOnNothing,
};

/** The verdict on a stored credential, with its content if its member shares it. */
export function buildVerdict(verified: CredentialVerification): Verdict {
  const finding = computeFinding(verified);
  return {
    ...findings[finding](verified),
    facts: buildFacts(finding, verified),
    checks: buildChecks(verified),
  };
}

type Finding = 'valid' | 'self_declared' | 'revoked' | 'expired' | 'not_yet_valid' | 'changed' | 'unproven';

function computeFinding({ valid, status, checks, attestation_tier }: CredentialVerification): Finding {
  if (status === 'revoked' || checks.revocation === 'revoked') return 'revoked';
  if (status === 'expired' || checks.expiry === 'expired') return 'expired';
  if (checks.signature === 'wrong' || checks.form === 'malformed') return 'changed';
  if (checks.expiry === 'not_yet_valid') return 'not_yet_valid';
  if (!valid) return 'unproven';
  return attestation_tier === 'self_attested' ? 'self_declared' : 'valid';
}

type VerdictText = Omit<Verdict, 'facts' | 'checks'>;

const findings: Readonly<Record<Finding, (verified: CredentialVerification) => VerdictText>> = {
  valid: (verified) => ({
    tone: 'good',
    headline: `Genuine. ${nameVoucher(verified)}`,
    explanation: [
      genuineNote,
      verified.credential ? holderNote : `${hiddenNote} Ask the holder to show it to you.`,
    ],
    reliance: {
      can: [
        'That it is unchanged, in force today and not revoked.',
        verified.attestation_tier === 'org_validated'
          ? 'That this service signed it for that organisation.'
          : 'That it agreed with the measurements and records of this service when it was issued.',
      ],
      cannot: [
        ...(verified.attestation_tier === 'org_validated'
          ? ['That this service has checked what the organisation says.', ...listUnprovenName(verified)]
          : []),
        unknownHolder,
      ],
    },
  }),
  self_declared: ({ credential }) => ({
    tone: 'caution',
    headline: 'Genuine, but only its holder says this.',
    explanation: [
      `${genuineNote} But nobody has checked what it says: its content is the holder’s own statement.`,
      credential ? holderNote : `${hiddenNote} Ask the holder to show it to you.`,
    ],
    reliance: {
      can: ['That a member of this service said it, and that it is unchanged.'],
      cannot: ['What it says: nobody has checked it.', unknownHolder],
    },
  }),
  revoked: () => ({
    tone: 'bad',
    headline: 'Revoked. Do not rely on it.',
    explanation: [
      'This service issued it, but it has since been revoked. Its content is no longer valid and is not shown.',
      'Do not rely on it or on any copy of it. Ask its holder for a valid credential.',
    ],
    reliance: relyOnNothing,
  }),
  expired: ({ credential }) => ({
    tone: 'bad',
    headline: credential ? `Expired on ${formatDay(credential.expires_at)}.` : 'Expired.',
    explanation: [
      'This service issued it for a limited time, which has ended. Ask its holder for a new one.',
      credential ? holderNote : hiddenNote,
    ],
    reliance: {
      can: ['That this service signed it, and that it was in force until it expired.'],
      cannot: ['That it still holds today.', unknownHolder],
    },
  }),
  not_yet_valid: () => ({
    tone: 'bad',
    headline: 'Not valid yet.',
    explanation: ['This service issued it for a time that has not begun.'],
    reliance: relyOnNothing,
  }),
  changed: () => ({
    tone: 'bad',
    headline: 'Changed, or not issued by this service.',
    explanation: [
      'It names this service as its issuer, but its signature is wrong. Do not rely on this credential. Ask its holder for the original.',
    ],
    reliance: relyOnNothing,
  }),
  unproven: () => ({
    tone: 'open',
    headline: 'Could not be checked.',
    explanation: [
      'A check could not be completed, which does not mean that the credential is false. Do not rely on it until it has been checked. You can try again later.',
    ],
    reliance: relyOnNothing,
  }),
};

/** Says in a sentence who vouches for a credential. The domain of an organisation is in the credential only if it was proven. */
function nameVoucher({ attestation_tier, credential, issuer }: CredentialVerification): string {
  const claims: Readonly<Record<string, unknown>> = credential?.claims ?? {};
  const { organisation_name: name, organisation_domain: domain } = claims;
  if (attestation_tier !== 'org_validated') return `Tessera at ${readHost(issuer)} says this.`;
  if (typeof name !== 'string') return 'An organisation says this.';
  return typeof domain === 'string'
    ? `${name} says this; its domain ${domain} is proven.`
    : `${name} says this.`;
}

/** What remains open about an organisation whose domain is not in the credential. */
function listUnprovenName({ credential }: CredentialVerification): readonly string[] {
  const claims: Readonly<Record<string, unknown>> = credential?.claims ?? {};
  return claims['organisation_domain'] === undefined
    ? ['Which organisation of that name it is: the credential names no proven domain.']
    : [];
}

/** The host in a did:web. */
function readHost(did: string): string {
  return decodeURIComponent(did.split(':')[2] ?? '');
}

const genuineNote =
  'This service issued it. It has not been changed, it has not expired, and it has not been revoked.';
const hiddenNote = 'Its holder does not share its content on this page.';
const holderNote =
  'This page does not say who the holder is. If someone claims to be the holder, ask them to present the credential from their wallet.';

/** What no page can tell about a credential that anyone may have copied. */
export const unknownHolder =
  'That the person who shows it is the one whom it is about. Ask them to present it from their wallet.';

const shownFindings: ReadonlySet<Finding> = new Set(['valid', 'self_declared', 'expired']);

function buildFacts(finding: Finding, { credential }: CredentialVerification): Verdict['facts'] {
  if (!credential || !shownFindings.has(finding)) return undefined;
  return {
    heading: finding === 'expired' ? 'What it said while it was valid' : 'What it says',
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
    { label: 'Type of credential', value: typeWords[credential_type] },
    { label: 'Who vouches for it', value: formatVoucher(attestation_tier, claims) },
    ...Object.entries(claims).flatMap(([name, value]) =>
      isReadable(name) ? [{ label: claimWords[name], ...describeClaim(name, value) }] : [],
    ),
    ...(attestation_tier === 'self_attested' ? listUnmeasured(claims) : []),
    { label: 'Issued on', value: formatDay(issued_at) },
    { label: 'Valid until', value: formatDay(expires_at) },
  ];
}

/** Says of an archetype whose certainty is not stated that it is the word of the holder, so that it does not read like a result. */
function listUnmeasured({
  archetype,
  archetype_family,
  archetype_certainty,
}: ShownCredential['claims']): readonly Fact[] {
  if (archetype_certainty !== undefined || (archetype ?? archetype_family) === undefined) return [];
  return [
    {
      label: claimWords.archetype_certainty,
      value: 'Not stated: the archetype is the word of the holder alone.',
    },
  ];
}

const typeWords: Readonly<Record<ShownCredential['credential_type'], string>> = {
  trait_attestation: 'Measured traits, without scores',
  archetype_attestation: 'Archetype, which is a typical way of working',
  assessment_completion: 'Completed assessment',
  placement_attestation: 'Placement in a job',
  org_validation: 'Statement of an organisation',
};

const tierWords: Readonly<Record<ShownCredential['attestation_tier'], string>> = {
  self_attested: 'Only the holder. Nobody has checked the content.',
  platform_verified: 'This service, based on its own measurements and records.',
  org_validated: 'An organisation.',
};

function formatVoucher(
  attestation_tier: ShownCredential['attestation_tier'],
  { organisation_name }: ShownCredential['claims'],
): string {
  return attestation_tier === 'org_validated' && organisation_name !== undefined
    ? `The organisation ${organisation_name}.`
    : tierWords[attestation_tier];
}

/** The words of each claim that a person reads. The id and the address of the picture of an achievement are for programs. */
const claimWords: Readonly<
  Record<Exclude<keyof ShownCredential['claims'], 'achievement_id' | 'achievement_image'>, string>
> = {
  archetype_family: 'Archetype family',
  archetype: 'Archetype',
  archetype_certainty: 'How certain the archetype is',
  trait_coverage: 'How much was measured',
  assessment_completed_on: 'Assessment completed on',
  job_title: 'Job',
  organisation_name: 'Organisation',
  organisation_domain: 'Proven domain of the organisation',
  statement: 'Statement, in the author’s own words',
  placed_on: 'Placed on',
  ended_on: 'Ended on',
  achievement_name: 'Achievement',
  achievement_criteria: 'How it is earned',
  achievement_alignment: 'Corresponds to',
};

const isReadable = (name: string): name is keyof typeof claimWords => Object.hasOwn(claimWords, name);

type ClaimValue = NonNullable<ShownCredential['claims'][keyof ShownCredential['claims']]>;

function describeClaim(name: string, value: ClaimValue): Omit<Fact, 'label'> {
  if (typeof value !== 'object') return { value: formatClaim(name, value) };
  const links = value.map((each) => ({ text: formatAlignment(each), href: each.targetUrl }));
  return { value: links.map(({ text }) => text).join('; '), links };
}

function formatClaim(name: string, value: string | number): string {
  if (typeof value === 'number') return `${Math.round(value * 100)}% of the twenty traits`;
  if (name === 'archetype_certainty') return certaintyWords.get(value) ?? value;
  return name.endsWith('_on') ? formatDay(value) : value;
}

const certaintyWords: ReadonlyMap<string, string> = new Map([
  ['high', 'High: at least eight of ten further assessments would lead to the same family.'],
  ['medium', 'Medium: at least seven of ten further assessments would lead to the same family.'],
]);

/** Formats a date like `2 March 2026`. Text that is not a date stays unchanged. */
function formatDay(time: string): string {
  const moment = parseTime(time) ?? parseTime(`${time}T00:00:00Z`);
  return moment === undefined ? time : formatUtcDate(moment);
}

function buildChecks({ checks, attestation_tier }: CredentialVerification): readonly Fact[] {
  return [
    { label: 'Signature', value: signatureWords[checks.signature] },
    { label: 'Expiry', value: expiryWords[checks.expiry] },
    { label: 'Revocation', value: revocationWords[checks.revocation] },
    { label: 'Content', value: contentWords[attestation_tier] },
  ];
}

const contentWords: Readonly<Record<CredentialVerification['attestation_tier'], string>> = {
  self_attested: 'Not checked: it is the holder’s own statement.',
  platform_verified: 'Compared with the measurements and records of this service when it was issued.',
  org_validated: 'Stated by an organisation, and not checked by this service.',
};

const notCheckedText = 'Not checked, because an earlier check failed.';

const signatureWords: Readonly<Record<CredentialVerification['checks']['signature'], string>> = {
  passed: 'Correct: this service signed it, and it has not been changed since.',
  wrong: 'Wrong: it was changed, or this service did not sign it.',
  key_revoked: 'Not accepted: the key of the signature is no longer trusted.',
  not_checked: notCheckedText,
};

const expiryWords: Readonly<Record<CredentialVerification['checks']['expiry'], string>> = {
  passed: 'Not expired.',
  expired: 'Expired.',
  not_yet_valid: 'Not yet valid.',
  not_checked: notCheckedText,
};

const revocationWords: Readonly<Record<CredentialVerification['checks']['revocation'], string>> = {
  passed: 'Not revoked.',
  revoked: 'Revoked.',
  unknown: 'Could not be checked. Try again later.',
  not_checked: notCheckedText,
};
