import type { AnyVerification } from '#modules/credentials/foreign-credentials';
import { formatUtcDate } from '#platform/format-utc-time.ts';
import { unknownHolder, type Fact, type Reliance, type Verdict } from './verdict.ts';

/** The verdict on a credential of any issuer, in words for readers who know nothing about credentials. */
export function buildForeignVerdict(verified: AnyVerification): Verdict {
  const text = verdictTexts[verified.verdict](verified);
  return {
    ...text,
    explanation: [...text.explanation, ...describeStatedName(verified)],
    facts: buildFacts(verified),
    checks: buildChecks(verified),
  };
}

type VerdictText = Omit<Verdict, 'facts' | 'checks'>;

const relyOnNothing: Reliance = { can: [], cannot: ['Anything that it says.'] };
const askHolder = 'Ask its holder for a valid credential.';

const verdictTexts: Readonly<Record<AnyVerification['verdict'], (verified: AnyVerification) => VerdictText>> =
  {
    genuine: (verified) => ({
      tone: 'good',
      headline: `Genuine. ${nameProven(verified)} says this.`,
      explanation: [describeGenuine(verified)],
      reliance: {
        can: [
          `That it was signed with a key of ${nameProven(verified)}, and that it is unchanged and in force today.`,
          ...(verified.checks.status === 'passed' ? ['That its issuer has not revoked it.'] : []),
        ],
        cannot: [
          'That what it says is true: its issuer says it, and this page does not know why.',
          ...(verified.checks.status === 'none'
            ? ['That it still holds: its issuer publishes no revocations.']
            : []),
          unknownHolder,
        ],
      },
    }),
    self_declared: (verified) => ({
      tone: 'caution',
      headline: 'Genuine, but only its holder says this.',
      explanation: [
        `${describeGenuine(verified)} But nobody has checked what it says: its content is the holder’s own statement.`,
      ],
      reliance: {
        can: [`That it was signed with a key of ${nameProven(verified)}, and that it is unchanged.`],
        cannot: ['What it says: nobody has checked it.', unknownHolder],
      },
    }),
    unknown_issuer: () => ({
      tone: 'caution',
      headline: 'Unchanged, but nobody can tell who says this.',
      explanation: [
        'It has not been changed since it was signed. But its issuer is known by a key alone, and anyone can make such a key. Rely on it only if you know from elsewhere whose key it is.',
      ],
      reliance: {
        can: ['That it is unchanged since it was signed.'],
        cannot: ['Who signed it, and therefore anything that it says.', unknownHolder],
      },
    }),
    revoked: ({ checks, issuer }) => ({
      tone: 'bad',
      headline:
        checks.status === 'suspended' ? 'Suspended. Do not rely on it now.' : 'Revoked. Do not rely on it.',
      explanation: [`Its issuer, ${issuer.id}, has withdrawn it. ${askHolder}`],
      reliance: relyOnNothing,
    }),
    expired: ({ valid_until }) => ({
      tone: 'bad',
      headline: valid_until ? `Expired on ${formatUtcDate(valid_until)}.` : 'Expired.',
      explanation: [`It is unchanged, but the time for which it was issued has ended. ${askHolder}`],
      reliance: {
        can: ['That it is unchanged since it was signed.'],
        cannot: ['That it still holds today.', unknownHolder],
      },
    }),
    not_yet_valid: ({ valid_from }) => ({
      tone: 'bad',
      headline: valid_from ? `Not valid before ${formatUtcDate(valid_from)}.` : 'Not valid yet.',
      explanation: ['It is unchanged, but the time for which it was issued has not begun.'],
      reliance: relyOnNothing,
    }),
    changed: ({ issuer }) => ({
      tone: 'bad',
      headline: 'Changed, or not signed by the issuer that it names.',
      explanation: [
        `It names ${issuer.id} as its issuer, but the signature is not right for what it says. Do not rely on it. Ask its holder for the original.`,
      ],
      reliance: relyOnNothing,
    }),
    not_checked: ({ fault }) => ({
      tone: 'open',
      headline: 'Could not be checked.',
      explanation: [
        ...(fault === undefined ? [] : [faultWords[fault]]),
        'This does not mean that the credential is false. Do not rely on it until it has been checked.',
      ],
      reliance: relyOnNothing,
    }),
  };

/** The issuer as far as it is proven. */
function nameProven({ proof }: AnyVerification): string {
  if (proof?.kind === 'domain') return proof.domain;
  return proof?.kind === 'this_service' ? 'This service' : 'An unknown issuer';
}

function describeGenuine({ proof, checks }: AnyVerification): string {
  const status = checks.status === 'passed' ? ', and its issuer has not revoked it' : '';
  const domain = proof?.kind === 'domain' ? ` The server of ${proof.domain} has the key that signed it.` : '';
  return `It has not been changed, it is in force today${status}.${domain}`;
}

function describeStatedName({ issuer, proof }: AnyVerification): readonly string[] {
  if (issuer.name === undefined) return [];
  const proven =
    proof?.kind === 'domain' ? 'Only its domain is proven, not this name.' : 'This is not proven.';
  return [`Its issuer calls itself “${issuer.name}”. ${proven}`];
}

type Fault = NonNullable<AnyVerification['fault']>;

const faultWords: Readonly<Record<Fault, string>> = {
  issuer_unreachable: 'The server of its issuer, which has the key, cannot be reached from here.',
  issuer_slow: 'The server of its issuer, which has the key, did not answer in time.',
  issuer_document_invalid: 'What the server of its issuer publishes about its keys cannot be used.',
  issuer_unsupported: 'Its issuer has a kind of name that cannot be looked up here.',
  key_not_listed:
    'Its issuer does not list the key that signed it. The key may have been retired, or another person may have signed it.',
  key_revoked: 'The key that signed it is no longer trusted, so the signature proves nothing.',
  algorithm_unsupported: 'Its kind of signature cannot be checked here.',
  proof_unsupported: 'Its proof is of a kind that cannot be checked here.',
  context_unknown:
    'It uses words whose meaning is not known here. Vocabularies are not fetched from other servers, for safety.',
  too_complex: 'It is too large or too entangled to be checked here.',
  status_unreachable: 'Its signature is right, but the list of revocations cannot be reached from here.',
  status_slow: 'Its signature is right, but the list of revocations did not arrive in time.',
  status_invalid: 'Its signature is right, but the list of revocations cannot be used.',
  status_unsupported: 'Its signature is right, but its kind of revocation cannot be checked here.',
};

/** A credential that is wrong is not repeated. */
const shownVerdicts: ReadonlySet<AnyVerification['verdict']> = new Set([
  'genuine',
  'self_declared',
  'unknown_issuer',
  'expired',
]);

function buildFacts({ verdict, says, types, valid_from, valid_until }: AnyVerification): Verdict['facts'] {
  if (!shownVerdicts.has(verdict)) return undefined;
  return {
    heading: verdict === 'expired' ? 'What it said while it was valid' : 'What it says',
    rows: [
      ...(types.length > 0 ? [{ label: 'Type of credential', value: types.join(', ') }] : []),
      ...says,
      ...(valid_from ? [{ label: 'Valid from', value: formatUtcDate(valid_from) }] : []),
      ...(valid_until ? [{ label: 'Valid until', value: formatUtcDate(valid_until) }] : []),
    ],
  };
}

function buildChecks({ issuer, checks, form }: AnyVerification): readonly Fact[] {
  return [
    { label: 'Form', value: formWords[form] },
    { label: 'Issuer', value: `${issuer.id}. ${issuerWords[checks.issuer]}` },
    { label: 'Signature', value: signatureWords[checks.signature] },
    { label: 'Period', value: periodWords[checks.period] },
    { label: 'Revocation', value: statusWords[checks.status] },
  ];
}

const notChecked = 'Not checked.';

const formWords: Readonly<Record<AnyVerification['form'], string>> = {
  vc_jwt: 'A signed token (VC-JWT).',
  sd_jwt_vc: 'A signed token with claims that its holder chose to show (SD-JWT VC).',
  attestation_token: 'A short token of this service.',
  open_badge: 'Open Badge (VC-JWT)',
  data_integrity: 'JSON with a proof in it (Data Integrity).',
};

const issuerWords: Readonly<Record<AnyVerification['checks']['issuer'], string>> = {
  this_service: 'That is this service.',
  domain: 'The server of this domain has published the key.',
  key: 'This is a key, which says nothing about whose it is.',
  not_checked: notChecked,
};

const signatureWords: Readonly<Record<AnyVerification['checks']['signature'], string>> = {
  passed: 'Correct: nothing has been changed since it was signed.',
  wrong: 'Wrong: it was changed, or another one signed it.',
  not_checked: notChecked,
};

const periodWords: Readonly<Record<AnyVerification['checks']['period'], string>> = {
  passed: 'In force today.',
  expired: 'Expired.',
  not_yet_valid: 'Not valid yet.',
  not_checked: notChecked,
};

const statusWords: Readonly<Record<AnyVerification['checks']['status'], string>> = {
  passed: 'Not revoked, as the list of its issuer says.',
  revoked: 'Revoked.',
  suspended: 'Suspended.',
  none: 'Its issuer publishes no revocations.',
  not_checked: notChecked,
};
