import { cacheResults } from '#lib/cache-results.ts';
import { ConfigError } from '#platform/config-numbers.ts';
import { identityAttributes, identityChoices, type IdentityAttribute, type OfferedChoices } from './rules.ts';

/** The answers that are offered in some countries, by country. A question that is left out has all of its answers. */
type Jurisdictions = ReadonlyMap<string, Partial<OfferedChoices>>;

/**
 * What is offered unless the operator says otherwise. France allows no statistics by ethnic origin (Conseil constitutionnel, decision 2007-557 DC). The
 * groups of the United States are those of Statistical Policy Directive 15 (89 FR 22182), of which several may be chosen.
 */
const builtIn: Jurisdictions = new Map<string, Partial<OfferedChoices>>([
  ['FR', { ethnicity: [] }],
  ['US', { ethnicity: identityChoices.ethnicity.filter((each) => each !== 'several' && each !== 'another') }],
]);

/**
 * Lists the answers that are offered to a member in a country, by the value of TESSERA_SELF_IDENTIFICATION. Without a country, or in one for which nothing is
 * set, all answers are offered.
 *
 * @throws ConfigError if the value is not valid; the service checks it when it starts.
 */
export function listOfferedChoices(setting: string, country: string | null): OfferedChoices {
  return { ...identityChoices, ...readJurisdictions(setting).get(country ?? '') };
}

/**
 * Reads a value such as `DE.ethnicity=none;GB.ethnicity=asian,black,white,several,another`. Each part replaces the answers to one question in one country.
 *
 * @throws ConfigError that names the part, if a country, a question or an answer does not exist, or a question is set twice.
 */
export const readJurisdictions = cacheResults(4, (setting: string): Jurisdictions => {
  const own = new Map<string, Partial<OfferedChoices>>();
  for (const part of setting.split(';').map((each) => each.trim())) {
    if (part === '') continue;
    const { country, attribute, choices } = readPart(part);
    const before = own.get(country) ?? {};
    if (Object.hasOwn(before, attribute)) refuse(part, 'the question is set twice for this country');
    own.set(country, { ...before, [attribute]: choices });
  }
  const countries = new Set([...builtIn.keys(), ...own.keys()]);
  return new Map([...countries].map((each) => [each, { ...builtIn.get(each), ...own.get(each) }]));
});

function readPart(part: string): {
  readonly country: string;
  readonly attribute: IdentityAttribute;
  readonly choices: readonly string[];
} {
  const [name = '', list = '', ...rest] = part.split('=').map((each) => each.trim());
  const country = name.slice(0, 2);
  if (!/^[A-Z]{2}\./.test(name) || rest.length > 0)
    refuse(part, 'it must be a country, a question and answers, such as GB.ethnicity=none');
  const attribute = identityAttributes.find((each) => each === name.slice(3));
  if (!attribute) return refuse(part, `the question must be one of ${identityAttributes.join(' | ')}`);
  const known: readonly string[] = identityChoices[attribute];
  const named = list === 'none' ? [] : list.split(',').map((each) => each.trim());
  if (!named.every((each) => known.includes(each)))
    refuse(part, `the answers must be "none", or some of ${known.join(', ')}`);
  return { country, attribute, choices: known.filter((each) => named.includes(each)) };
}

function refuse(part: string, reason: string): never {
  throw new ConfigError(`TESSERA_SELF_IDENTIFICATION is not valid: ${part.slice(0, 100)}: ${reason}`);
}
