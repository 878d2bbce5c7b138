import { nameSubdivision } from '#lib/places/subdivisions.ts';
import type { Clearance } from '#modules/matching/jobs';
import type { educationLevels } from '#modules/people/members';

const countryNames = new Intl.DisplayNames('en-GB', { type: 'region' });
const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** "Lives in Australia or New Zealand." */
export function formatCountries(codes: readonly string[]): string {
  return `Lives in ${alternatives.format(codes.map((code) => countryNames.of(code) ?? code))}.`;
}

/** "Lives in New South Wales or Victoria." A code that has no name is called one. */
export function formatStates(country: string, codes: readonly string[]): string {
  const names = codes.map((code) => {
    const name = nameSubdivision(country, code);
    return name === code ? `the state with the code ${code}` : name;
  });
  return `Lives in ${alternatives.format(names)}.`;
}

/** "Has at least 5 years of experience." Everyone who has stated their experience meets a requirement of 0 years. */
export function formatExperience(years: number): string {
  if (years === 0) return 'Has stated their years of experience.';
  return years === 1 ? 'Has at least one year of experience.' : `Has at least ${years} years of experience.`;
}

export const educationSentences: Readonly<Record<(typeof educationLevels)[number], string>> = {
  none: 'Has stated their education.',
  secondary: 'Has finished secondary school, or more.',
  certificate: 'Has a certificate, or more.',
  diploma: 'Has a diploma, or more.',
  bachelors: 'Has a bachelor’s degree, or more.',
  masters: 'Has a master’s degree, or more.',
  doctorate: 'Has a doctorate.',
};

export const clearanceSentences: Readonly<Record<Exclude<Clearance, 'none'>, string>> = {
  baseline: 'Holds a Baseline security clearance, or a higher one.',
  negative_vetting_1: 'Holds a Negative Vetting 1 security clearance, or a higher one.',
  negative_vetting_2: 'Holds a Negative Vetting 2 security clearance, or a higher one.',
  positive_vetting: 'Holds a Positive Vetting security clearance.',
};
