import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import type { TraitPriorities } from '#modules/measurement/traits';
import { computeFit, computeFitWeights, type FitWeights } from '../../src/modules/matching/engine/fit.ts';
import { computeTier, type MatchQuality } from '../../src/modules/matching/engine/tiers.ts';
import { itemBank } from '../../src/modules/measurement/traits/items/item-bank.ts';
import type { Answer } from '../../src/modules/measurement/traits/items/item.ts';
import { measureAnswers } from '../../src/modules/measurement/traits/measurement/measure-answers.ts';
import { computeAnswerQuality } from '../../src/modules/measurement/traits/measurement/answer-quality.ts';
import {
  computeAnswerEvidence,
  listStatementAnswers,
} from '../../src/modules/measurement/traits/measurement/person-fit.ts';
import { computePosterior } from '../../src/modules/measurement/traits/measurement/posterior.ts';
import { behaviours } from '../../src/modules/measurement/traits/measurement/simulated-behaviour.ts';
import {
  simulateAssessment,
  simulateMember,
} from '../../src/modules/measurement/traits/measurement/simulated-member.ts';
import { computeStandardisedLikelihood } from './standardised-likelihood.ts';

/** What simulated respondents of one behaviour got. */
export type BehaviourResult = {
  readonly name: string;
  readonly respondents: readonly RespondentResult[];
};

export type RespondentResult = {
  readonly flagged: boolean;
  /** Whether the first 50 items alone raise a flag. */
  readonly flagged_early: boolean;
  /** The number of jobs by tier. */
  readonly tiers: ReadonlyMap<MatchQuality, number>;
  readonly confidence: number;
  /** What speaks for carelessness, and for answers that are idealised. */
  readonly careless: number;
  readonly misfit: number;
  readonly idealised: number;
  readonly elevation: number;
};

const early_items = 50;

/** Groups of respondents: a behaviour, and by how much all traits of its members are higher than those of the population. */
const groups: readonly (readonly [
  name: string,
  create: (typeof behaviours)[keyof typeof behaviours],
  raise: number,
])[] = [
  ...Object.entries(behaviours).map(([name, create]) => [name, create, 0] as const),
  ['honest, and all norms are wrong by 0.4 standard deviations', behaviours.honest, 0.4],
  ['honest, and every trait is one standard deviation higher', behaviours.honest, 1],
];

/** The behaviours whose small shares matter, which need five times as many respondents as the others. */
const frequent: ReadonlySet<string> = new Set([
  'honest',
  'agrees more or less than others (sd a third of a step)',
  'mildly favourable: half of the answers one step better',
]);

/**
 * Lets simulated respondents of each behaviour complete an assessment and computes their tiers for the jobs.
 *
 * @param size The number of honest respondents.
 */
export function simulateBehaviours(
  jobs: readonly TraitPriorities[],
  size: number,
): readonly BehaviourResult[] {
  const weights = jobs.map(computeFitWeights);
  return groups.map(([name, create, raise]) => {
    const random = createSeededRandom(7);
    const respondents = Array.from({ length: frequent.has(name) ? size : size / 5 }, (_, index) => {
      const { traits, preferences } = simulateMember(random);
      const member = { traits: traits.map((trait) => trait + raise), preferences };
      const behave = create(random);
      return assessRespondent(simulateAssessment(member, `answers-${index}`, random, { behave }), weights);
    });
    return { name, respondents };
  });
}

function assessRespondent(answers: readonly Answer[], weights: readonly FitWeights[]): RespondentResult {
  const { vector, latent, quality_flags } = measureAnswers(answers, itemBank);
  const tiers = weights.map((each) => {
    const { mean, sd } = computeFit(each, latent.mean, latent.variance);
    return computeTier(mean, sd);
  });
  const statements = listStatementAnswers(answers, itemBank);
  const { mean } = computePosterior(answers);
  return {
    flagged: quality_flags.length > 0,
    flagged_early: measureAnswers(answers.slice(0, early_items), itemBank).quality_flags.length > 0,
    tiers: countTiers(tiers),
    confidence: vector.overall_confidence,
    ...computeAnswerEvidence(statements),
    misfit: -computeStandardisedLikelihood(statements, mean, itemBank),
    elevation: computeAnswerQuality(answers, mean, itemBank).elevation,
  };
}

function countTiers(tiers: readonly MatchQuality[]): ReadonlyMap<MatchQuality, number> {
  return new Map([...Map.groupBy(tiers, (tier) => tier)].map(([tier, all]) => [tier, all.length]));
}
