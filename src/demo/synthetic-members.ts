import { drawBelow, drawStandardNormal, pickOne, type Random } from '@tessera/psychometrics/seeded-random';
import {
  continuousTraits,
  simulateMember,
  simulateScenarioAnswers,
  type Answer,
  type Posterior,
} from '#modules/measurement/traits';

/** A synthetic member with the result that an assessment would have. */
export type SyntheticMember = {
  readonly display_name: string;
  readonly posterior: Posterior;
  readonly scenarios: readonly Answer[];
  readonly current_industry: string;
  readonly years_experience: number;
  readonly education_level: (typeof education)[number];
  readonly location_country: string;
  readonly location_state: string;
};

const givenNames = [
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
const familyNames = [
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

/** Draws a member from the population's prior, measured as precisely as a complete assessment does. */
export function drawSyntheticMember(random: Random): SyntheticMember {
  const truth = simulateMember(random);
  return {
    display_name: `${pickOne(random, givenNames)} ${pickOne(random, familyNames)}`,
    posterior: drawPosterior(truth.traits, random),
    scenarios: simulateScenarioAnswers(truth, random),
    current_industry: pickOne(random, industries),
    years_experience: drawBelow(random, 40),
    education_level: pickOne(random, education),
    location_country: 'AU',
    location_state: pickOne(random, states),
  };
}

/**
 * Draws the posterior that answers would give: variance v and mean (1 - v) t + sqrt(v (1 - v)) e for each true trait t, e standard normal.
 */
function drawPosterior(truth: readonly number[], random: Random): Posterior {
  const variance = continuousTraits.map(() => 0.1 + 0.06 * random());
  const mean = variance.map(
    (v, index) => (1 - v) * truth[index]! + Math.sqrt(v * (1 - v)) * drawStandardNormal(random),
  );
  return { mean, variance, covariance: [] };
}
