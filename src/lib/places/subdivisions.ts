import names from './subdivisions.json' with { type: 'json' };

/**
 * English names of the states, provinces and regions of countries (ISO 3166-2), by country and by code without the country.
 *
 * Source: `en.json` of `cldr-subdivisions-full` 48.2.0 (Unicode CLDR, licence Unicode-3.0), grouped by country, without footnote marks. `Intl`
 * names countries only.
 */
const subdivisions: Readonly<Record<string, Readonly<Record<string, string>>>> = names;

/** A place: its code and its name. */
export type Place = readonly [code: string, name: string];

/** Lists the states or regions of a country (ISO 3166-1 alpha-2), by name. A country without any has an empty list. */
export function listSubdivisions(country: string): readonly Place[] {
  return Object.entries(selectNames(country)).toSorted(([, one], [, other]) =>
    one.localeCompare(other, 'en'),
  );
}

/** Names a state or region of a country. A code that has no name stays a code. */
export function nameSubdivision(country: string, code: string): string {
  const byCode = selectNames(country);
  return Object.hasOwn(byCode, code) ? byCode[code]! : code;
}

function selectNames(country: string): Readonly<Record<string, string>> {
  return Object.hasOwn(subdivisions, country) ? subdivisions[country]! : {};
}
