import {
  continuousTraits,
  simulatedMember,
  simulatedScenarios,
  type Answer,
  type Posterior,
} from '#modules/traits';
import { below, pick, standardNormal, type Random } from '#lib/seeded-random.ts';

/** A made-up person with what an assessment would know about them. */
export type SyntheticPerson = {
  readonly display_name: string;
  readonly posterior: Posterior;
  readonly scenarios: readonly Answer[];
  readonly current_industry: string;
  readonly years_experience: number;
  readonly education_level: (typeof education)[number];
  readonly location_country: string;
  readonly location_state: string;
};

const given = [
  'Ada',
  'Bo',
  'Chi',
  'Dara',
  'Emre',
  'Farah',
  'Goran',
  'Hana',
  'Ivo',
  'Jun',
  'Kofi',
  'Lena',
  'Mira',
  'Noor',
  'Olu',
  'Pia',
];
const family = [
  'Abara',
  'Berg',
  'Costa',
  'Dube',
  'Eriksen',
  'Fontaine',
  'Gupta',
  'Haddad',
  'Ito',
  'Jansen',
  'Khan',
  'Lopez',
  'Moreau',
];
const industries = [
  'health',
  'education',
  'software',
  'construction',
  'retail',
  'public service',
  'finance',
  'logistics',
  'hospitality',
];
const education = ['secondary', 'certificate', 'diploma', 'bachelors', 'masters', 'doctorate'] as const;
const states = ['NSW', 'VIC', 'QLD', 'WA', 'SA', 'TAS', 'ACT', 'NT'];

/** Draws a person from the population's prior, measured as closely as a finished assessment measures. */
export function syntheticPerson(random: Random): SyntheticPerson {
  const truth = simulatedMember(random);
  return {
    display_name: `${pick(random, given)} ${pick(random, family)}`,
    posterior: measured(truth.traits, random),
    scenarios: simulatedScenarios(truth, random),
    current_industry: pick(random, industries),
    years_experience: below(random, 40),
    education_level: pick(random, education),
    location_country: 'AU',
    location_state: pick(random, states),
  };
}

/** What answers would tell: a posterior mean (1 - v) t + sqrt(v (1 - v)) e of variance v around each true trait t, e standard normal. */
function measured(truth: readonly number[], random: Random): Posterior {
  const variance = continuousTraits.map(() => 0.1 + 0.06 * random());
  const mean = variance.map(
    (v, index) => (1 - v) * truth[index]! + Math.sqrt(v * (1 - v)) * standardNormal(random),
  );
  return { mean, variance, covariance: [] };
}
