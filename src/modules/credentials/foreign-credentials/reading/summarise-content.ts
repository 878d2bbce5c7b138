import { isFields, toList, toText, type Fields } from './json.ts';
import type { ReadCredential } from './read-text.ts';

/** A claim of a credential, in words for a reader. */
export type SaidClaim = { readonly label: string; readonly value: string };

const claims_max = 20;
const value_characters_max = 300;
const label_characters_max = 80;
const types_max = 5;

/** What a credential says about its subject, as far as it fits a page. Ids, pictures and what concerns the token itself are left out. */
export function summariseContent({ form, content }: ReadCredential): readonly SaidClaim[] {
  const subject = form === 'sd_jwt_vc' ? omitTechnical(content) : toList(content['credentialSubject'])[0];
  return isFields(subject) ? listClaims(subject, []).slice(0, claims_max) : [];
}

/** The names of the types of a credential, without the one that all have. */
export function listTypes({ content }: ReadCredential): readonly string[] {
  const types = content['vct'] === undefined ? toList(content['type']) : [content['vct']];
  return types
    .filter((type) => typeof type === 'string')
    .filter((type) => type !== 'VerifiableCredential')
    .slice(0, types_max)
    .map((type) => type.slice(0, value_characters_max));
}

/** The claims of an SD-JWT VC that are not about its subject. */
const technical = new Set([
  'iss',
  'iat',
  'nbf',
  'exp',
  'jti',
  'cnf',
  'vct',
  'status',
  'sub',
  'aud',
  '_sd_alg',
]);

function omitTechnical(content: Fields): Fields {
  return Object.fromEntries(
    Object.entries(content).filter(([name]) => !technical.has(name.split('#', 1)[0]!)),
  );
}

const left_out = new Set(['id', 'type', '@type', '@id', '@context', 'image', 'proof']);

function listClaims(fields: Fields, path: readonly string[]): readonly SaidClaim[] {
  return Object.entries(fields)
    .filter(([name]) => !left_out.has(name))
    .flatMap(([name, value]) =>
      toList(value)
        .slice(0, claims_max)
        .flatMap((each) => listClaim(each, [...path, formatName(name)])),
    );
}

function listClaim(value: unknown, path: readonly string[]): readonly SaidClaim[] {
  if (isFields(value)) return listClaims(value, path);
  if (!['string', 'number', 'boolean'].includes(typeof value)) return [];
  const text = toText(value) ?? String(value);
  if (text.startsWith('data:')) return [];
  const label = path.join(', ').slice(0, label_characters_max);
  const isLong = text.length > value_characters_max;
  return [{ label, value: isLong ? `${text.slice(0, value_characters_max)} …` : text }];
}

/** The name of a field as words: `achievedOn` is “Achieved on”. */
function formatName(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, (_, one: string, other: string) => `${one} ${other.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
