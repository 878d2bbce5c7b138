import { findPlace, proposePlaces } from '#lib/places/find-place.ts';
import { listSubdivisions, nameSubdivision, type Place } from '#lib/places/subdivisions.ts';
import { createFieldRefusal } from '#lib/refusal.ts';
import type { Visit } from '../serving/page.ts';
import type { Field } from './form.ts';

type Words = Pick<Visit, 'format' | 'texts'>;

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));

/** The countries of ISO 3166-1 that the formats of the language can name, in its alphabetical order. */
function listCountries({ format, texts }: Words): readonly Place[] {
  const codes = letters.flatMap((one) => letters.map((other) => `${one}${other}`));
  const named = codes.map((code) => [code, format.formatCountry(code)] as const);
  return named
    .filter(([code, name]) => name !== code && !unassigned.has(code))
    .toSorted(([, one], [, other]) => one.localeCompare(other, texts.locale));
}

/**
 * Builds the field for a country: a text that the browser completes from the names, with and without scripts. Read it with
 * {@link readCountry}.
 */
export function buildCountryField(
  visit: Words,
  field: Pick<Field, 'name' | 'label' | 'optional'> & { readonly value: string | null },
): Field {
  return {
    ...field,
    value: field.value && visit.format.formatCountry(field.value),
    hint: visit.texts.places.countryHint,
    maxlength: 100,
    suggestions: listCountries(visit).map(([, name]) => name),
  };
}

/**
 * Reads a country by its name, another name in use, or its code.
 *
 * @throws Refusal `field_invalid` for a text that is none, with names like it.
 */
export function readCountry(visit: Words, field: string, text: string): string {
  const { places } = visit.texts;
  const countries = listCountries(visit);
  const code = findPlace(countries, text, places.otherNames);
  if (code !== undefined) return code;
  throw refuse(visit, field, { unknown: places.unknownCountry(shorten(text)), places: countries, text });
}

/**
 * Reads a state or region of a country by its name or code. Where it has no names here, or the country is not known, a code is taken as it
 * is.
 *
 * @throws Refusal `field_invalid` for a text that is none, with names like it.
 */
export function readState(visit: Words, field: string, country: string | null, text: string): string {
  const { places } = visit.texts;
  const states = country === null ? [] : listSubdivisions(country);
  const code = findPlace(states, text);
  if (code !== undefined) return code;
  if (states.length === 0 && /^[A-Za-z0-9]{1,3}$/.test(text)) return text.toUpperCase();
  const unknown =
    country === null
      ? places.stateWithoutCountry
      : places.unknownState(shorten(text), visit.format.formatCountry(country));
  throw refuse(visit, field, { unknown, places: states, text });
}

/** Writes states and regions into a field with commas between them, so that {@link readState} reads each. A name with a comma stays a code. */
export function formatStates(countries: readonly string[], states: readonly string[]): string {
  const names = nameStates(countries, states);
  return names.map((name, index) => (/[,;]/.test(name) ? states[index] : name)).join(', ');
}

/** "New South Wales or Victoria, Australia", or undefined for anywhere. */
export function formatPlace(
  { format }: Words,
  countries: readonly string[],
  states: readonly string[],
): string | undefined {
  if (countries.length === 0) return undefined;
  const country = format.formatAlternatives(countries.map((code) => format.formatCountry(code)));
  const names = nameStates(countries, states);
  return names.length === 0 ? country : `${format.formatAlternatives(names)}, ${country}`;
}

/** Names the states and regions that a job asks for. It has states only if it has exactly one country. */
function nameStates(countries: readonly string[], states: readonly string[]): readonly string[] {
  const [country = ''] = countries;
  return states.map((code) => nameSubdivision(country, code));
}

type Unknown = { readonly unknown: string; readonly places: readonly Place[]; readonly text: string };

function refuse({ texts, format }: Words, field: string, { unknown, places, text }: Unknown) {
  const names = proposePlaces(places, text).map((name) => `“${name}”`);
  const proposal = names.length === 0 ? '' : `. ${texts.places.didYouMean(format.formatAlternatives(names))}`;
  return createFieldRefusal('field_invalid', `/${field}`, `${unknown}${proposal}`);
}

function shorten(text: string): string {
  return text.slice(0, 50);
}

/** Codes that Intl names although they belong to no country: exceptional reservations, groups and tests (ISO 3166-1, CLDR). */
const unassigned = new Set(
  'AC AN BU CP CQ CS CT DD DG DY EA EU EZ FQ FX HV IC JT MI NH NQ NT PC PU PZ QO QU RH SU TA TP UK UN VD WK XA XB XK YD YU ZR ZZ'.split(
    ' ',
  ),
);
