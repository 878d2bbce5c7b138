import type { Visit } from '../serving/page.ts';

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));

/** The countries of ISO 3166-1 that the formats of the language can name, in its alphabetical order. */
export function listCountries({
  format,
  texts,
}: Pick<Visit, 'format' | 'texts'>): readonly (readonly [string, string])[] {
  const codes = letters.flatMap((one) => letters.map((other) => `${one}${other}`));
  const named = codes.map((code) => [code, format.formatCountry(code)] as const);
  return named
    .filter(([code, name]) => name !== code && !unassigned.has(code))
    .toSorted(([, one], [, other]) => one.localeCompare(other, texts.locale));
}

/** Codes that Intl names although they belong to no country: exceptional reservations, groups and tests (ISO 3166-1, CLDR). */
const unassigned = new Set(
  'AC AN BU CP CQ CS CT DD DG DY EA EU EZ FQ FX HV IC JT MI NH NQ NT PC PU PZ QO QU RH SU TA TP UK UN VD WK XA XB XK YD YU ZR ZZ'.split(
    ' ',
  ),
);
