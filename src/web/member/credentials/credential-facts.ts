import * as archetypes from '#modules/measurement/archetypes';
import { formatAlignment } from '#modules/credentials/achievements';
import * as credentials from '#modules/credentials/credentials';
import type { OperationBody } from '#platform/operation.ts';
import { renderFacts } from '../../parts/facts.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';

export type Credential = OperationBody<typeof credentials.readCredential>;

/** Reads the credential that the address names. */
export function readCredential({ call, params }: Visit): Promise<Credential> {
  return call(credentials.readCredential, { credential_id: params['credential_id'] ?? '' });
}

/** What a credential or an offer is called: the achievement that its organisation has defined, or its type. */
export function nameCredential(
  { texts }: Pick<Visit, 'texts'>,
  { credential_type, claims }: Pick<Credential, 'credential_type' | 'claims'>,
): string {
  return claims.achievement_name ?? texts.credentials.types[credential_type];
}

type Alignments = NonNullable<Credential['claims']['achievement_alignment']>;

/** A fact in plain text. What an achievement corresponds to can also be shown as links. */
type CredentialFact = readonly [label: string, value: string, alignments?: Alignments];

/** What a credential says, in words, and its terms. `tiers` says who vouches for it, for this reader. */
export async function listFacts(
  visit: Visit,
  credential: Credential,
  tiers: Readonly<Record<Credential['attestation_tier'], string>>,
): Promise<readonly CredentialFact[]> {
  return [...(await listClaims(visit, credential)), ...listTerms(visit, credential, tiers)];
}

/** The claims of a credential in words. */
export async function listClaims(visit: Visit, { claims }: Credential): Promise<readonly CredentialFact[]> {
  const { credential: texts, archetype: words } = visit.texts;
  const { archetypes: known } = await visit.call(archetypes.listArchetypes);
  // Members may write any text into these claims.
  const families = new Map<string, string>(Object.entries(words.families));
  const toWords = (name: string, value: string | number) => {
    if (typeof value === 'number') return texts.coverage(visit.format.formatPercent(value));
    if (name === 'archetype_certainty') return texts.certainties[value as keyof typeof texts.certainties];
    if (name === 'archetype_family') return families.get(value) ?? value;
    if (name === 'archetype') return known.find(({ archetype }) => archetype === value)?.name ?? value;
    return name.endsWith('_on') ? visit.format.formatDate(value) : value;
  };
  const labels: Readonly<Record<string, string>> = texts.claims;
  // The name of an achievement is the heading; its id and the address of its picture are for programs.
  return Object.entries(claims).flatMap(([name, value]): readonly CredentialFact[] => {
    const label = labels[name];
    if (label === undefined) return [];
    return typeof value === 'object'
      ? [[label, value.map(formatAlignment).join('; '), value]]
      : [[label, toWords(name, value)]];
  });
}

/** Renders facts, with links to what an achievement corresponds to. */
export function renderCredentialFacts(facts: readonly CredentialFact[]): Html {
  return renderFacts(
    facts.map(([label, value, alignments]) => [label, alignments ? renderAlignments(alignments) : value]),
    'facts says',
  );
}

/** Renders what an achievement corresponds to as links. */
export function renderAlignments(alignments: Alignments): Html {
  const links = alignments.map(
    (each, index) =>
      html`${index > 0 && '; '}<a href="${each.targetUrl}" rel="noreferrer nofollow"
          >${formatAlignment(each)}</a
        >`,
  );
  return html`${links}`;
}

/** Who vouches for a credential, since when, and until when. */
export function listTerms(
  { texts: { credential: texts }, format }: Visit,
  { attestation_tier, issued_at, expires_at }: Credential,
  tiers: Readonly<Record<Credential['attestation_tier'], string>>,
): readonly CredentialFact[] {
  return [
    [texts.voucher, tiers[attestation_tier]],
    [texts.issuedOn, format.formatDate(issued_at)],
    [texts.validUntil, format.formatDate(expires_at)],
  ];
}
