import {
  categoricalTraits,
  continuousTraits,
  type CategoricalTrait,
  type ContinuousTrait,
} from '../taxonomy.ts';
import type { ChoiceParameters, GradedItem, Scenario } from './item.ts';

/**
 * What people answer on average to statements about a construct: the mean of keyed answers, in points from 1 (strongly disagree) to 5
 * (strongly agree). An answer on six steps is converted linearly, 1 + 4 (x - 1) / 5.
 *
 * - `sapa`: the means of the five scales of five items each among 1,400 adults of the SAPA project, computed from the answers (the data
 *   set `bfi` of the R package psych, a random half). Standard deviations of the scales: 0.66 to 0.96.
 * - `hexaco`: the medians of the facets of the HEXACO-PI-R in its authors' sample of university students, as published with the results of
 *   the questionnaire (Lee and Ashton, hexaco.org). A tenth of that sample is about 1.1 points below, and a tenth 1.0 above.
 */
const publishedMeans = {
  sapa: {
    agreeableness: 3.93,
    conscientiousness: 3.61,
    extraversion: 3.5,
    emotional_stability: 3.25,
    openness: 3.86,
  },
  hexaco: {
    sincerity: 3.25,
    fairness: 3.38,
    social_boldness: 3.13,
    organization: 3.38,
    diligence: 3.88,
    perfectionism: 3.63,
    prudence: 3.25,
    inquisitiveness: 3.13,
    creativity: 3.63,
    altruism: 3.88,
  },
} as const;

const { sapa, hexaco } = publishedMeans;

/**
 * The scales of other questionnaires that are nearest to each trait. Some measure a related construct only, because no norm of the construct
 * was available: those of ambiguity_tolerance, change_agility, autonomy_drive, purpose_orientation and discretion.
 */
const nearestScales: Readonly<Record<ContinuousTrait, readonly number[]>> = {
  pressure_response: [sapa.emotional_stability],
  ambiguity_tolerance: [sapa.emotional_stability, sapa.openness],
  change_agility: [sapa.emotional_stability, sapa.openness],
  recovery_resilience: [sapa.emotional_stability],
  analytical_depth: [sapa.openness, hexaco.inquisitiveness],
  exploratory_curiosity: [sapa.openness, hexaco.inquisitiveness, hexaco.creativity],
  structure_preference: [sapa.conscientiousness, hexaco.organization],
  collaborative_orientation: [sapa.agreeableness],
  social_initiative: [sapa.extraversion, hexaco.social_boldness],
  empathic_attunement: [sapa.agreeableness, hexaco.altruism],
  achievement_drive: [sapa.conscientiousness, hexaco.diligence, hexaco.perfectionism],
  autonomy_drive: [sapa.openness, sapa.extraversion],
  purpose_orientation: [sapa.agreeableness, hexaco.altruism],
  persistence: [sapa.conscientiousness, hexaco.diligence],
  sincerity: [hexaco.sincerity],
  fair_dealing: [hexaco.fairness],
  accountability: [sapa.conscientiousness, hexaco.diligence, hexaco.prudence],
  discretion: [sapa.agreeableness, hexaco.fairness, hexaco.prudence],
};

/** The mean answer to the statements of a trait, keyed, in points from 1 to 5: the mean of its nearest scales. */
export const traitNorms: Readonly<Record<ContinuousTrait, number>> = computeNorms();

function computeNorms(): Readonly<Record<ContinuousTrait, number>> {
  const norms = continuousTraits.map((trait) => [trait, average(nearestScales[trait])]);
  return Object.fromEntries(norms) as Record<ContinuousTrait, number>;
}

/**
 * Moves the thresholds of judged items so that the average member of the population answers as the norms say: all thresholds of a trait by
 * the same distance, in population standard deviations, rounded to hundredths. Discriminations and the distances between thresholds stay
 * as judged, because they agree with the real answers (docs/decisions/measurement.md).
 *
 * @param asked The items whose mean answer is the norm; `items` may contain others, which are moved by the same distance.
 */
export function anchorItems(
  items: readonly GradedItem[],
  asked: readonly GradedItem[] = items,
): readonly GradedItem[] {
  const byTrait = Map.groupBy(asked, ({ trait }) => trait);
  const distances = new Map(
    [...byTrait].map(([trait, own]) => [trait, findDistance(own, traitNorms[trait])]),
  );
  return items.map((item) => moveThresholds(item, distances.get(item.trait) ?? 0));
}

function moveThresholds(item: GradedItem, distance: number): GradedItem {
  return {
    ...item,
    thresholds: item.thresholds.map((threshold) => Math.round(100 * (threshold + distance)) / 100),
  };
}

const bisections = 30;

/** Finds the distance by bisection. Higher thresholds lower the mean answer. */
function findDistance(items: readonly GradedItem[], norm: number): number {
  let [lowest, highest] = [-4, 4];
  for (let step = 0; step < bisections; step++) {
    const middle = (lowest + highest) / 2;
    const mean = average(items.map((item) => computeMeanAnswer(item, middle)));
    [lowest, highest] = mean > norm ? [middle, highest] : [lowest, middle];
  }
  return Math.round(100 * lowest) / 100;
}

/**
 * Computes the mean keyed answer of a standard normal population, from 1, if the thresholds were higher by `distance`. The average of a
 * logistic curve over a normal distribution is about s(-a b / sqrt(1 + a² / 1.702²)) (Camilli 1994, J Educ Behav Stat 19), within 0.01.
 */
export function computeMeanAnswer(
  { discrimination, thresholds }: Pick<GradedItem, 'discrimination' | 'thresholds'>,
  distance = 0,
): number {
  const flattened = discrimination / Math.sqrt(1 + (discrimination / 1.702) ** 2);
  return thresholds.reduce(
    (sum, threshold) => sum + 1 / (1 + Math.exp(flattened * (threshold + distance))),
    1,
  );
}

/**
 * The mean ratings of questionnaires on ways of acting, in points from 1 to 5.
 *
 * - `decision_mode`: the means of the five scales of the General Decision-Making Style questionnaire (Scott and Bruce 1995) in a national
 *   survey of an industry in Australia (AMMA 2021, Mental Health Research): 20, 17.7, 16.3, 12.6 and 11.2 in sums of five items. The scale
 *   `dependent` stands for consultative, and `avoidant` for deferring.
 * - `conflict_style`: studies with the ROCI-II (Rahim 1983) agree on the order: integrating first, then compromising, then obliging, and
 *   dominating and avoiding last. The distances are judgements.
 */
const wayRatings: Readonly<Record<CategoricalTrait, Readonly<Record<string, number>>>> = {
  decision_mode: { rational: 4, intuitive: 3.54, consultative: 3.26, spontaneous: 2.52, deferring: 2.24 },
  conflict_style: { collaborating: 4.1, compromising: 3.7, accommodating: 3.3, competing: 3, avoiding: 3 },
};

/** By how much ln popularity grows with each point of a rating: a judgement. */
const popularity_per_point = 1.3;

/**
 * The parameters of the situations until a calibration replaces them. The spread follows from standard deviations of about 0.7 points of
 * such scales. The error covers that ratings are not choices: a factor of 1.7 in the popularity of a way.
 */
export function anchorScenarios(scenarios: readonly Scenario[]): readonly Scenario[] {
  const choices = new Map<string, ChoiceParameters>(
    Object.entries(categoricalTraits).map(([trait, ways]) => [
      trait,
      { popularity: computePopularity(trait as CategoricalTrait, ways), spread: 0.9, norm_error: 0.5 },
    ]),
  );
  return scenarios.map((scenario) => ({ ...scenario, choice: choices.get(scenario.trait)! }));
}

function computePopularity(trait: CategoricalTrait, ways: readonly string[]): readonly number[] {
  const ratings = ways.map((way) => wayRatings[trait][way]!);
  const centre = average(ratings);
  return ratings.map((rating) => Math.round(1000 * popularity_per_point * (rating - centre)) / 1000);
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
