import type { Matrix } from './population.ts';
import { traitCodes, type TraitCode } from '#modules/measurement/traits';
import type { Answer } from '../../src/modules/measurement/traits/items/item.ts';
import { computePosterior } from '../../src/modules/measurement/traits/measurement/posterior.ts';
import { calibrateWith, readWithKey, splitAlternately } from '../lib/answers.ts';
import type { SimulatedMember } from './population.ts';

/** The items of each factor; a minus sign means that the item is reversed. */
const key = `agreeableness: -A1 A2 A3 A4 A5
conscientiousness: C1 C2 C3 -C4 -C5
extraversion: -E1 -E2 E3 E4 E5
stability: -N1 -N2 -N3 -N4 -N5
openness: O1 -O2 O3 O4 -O5
`;

/** The factor of the Big Five that each trait is closest to, in the order of {@link key}. The integrity traits have none in 25 items. */
const factorTraits: readonly (readonly TraitCode[])[] = [
  ['collaborative_orientation', 'empathic_attunement', 'purpose_orientation'],
  ['structure_preference', 'persistence', 'achievement_drive', 'accountability'],
  ['social_initiative'],
  ['pressure_response', 'recovery_resilience', 'change_agility'],
  ['exploratory_curiosity', 'analytical_depth', 'ambiguity_tolerance'],
];

/** Real people, measured on five factors with half of the items, and the correlations of the factors that their answers give. */
export type RealAnswers = {
  /** The posterior from half of the items; the posterior means from all items stand for the truth. */
  readonly members: readonly SimulatedMember[];
  readonly correlations: Matrix;
};

/** Reads the people who answered all 25 items, calibrates the items with all people, and measures them. */
export async function readRealAnswers(file: string): Promise<RealAnswers> {
  const csv = await readWithKey(file, key);
  const bank = calibrateWith(csv.bank, csv.answerSets);
  const measure = (answers: readonly Answer[]) => computePosterior(answers, bank);
  const members = csv.answerSets
    .filter(({ length }) => length === 25)
    .map((answers) => {
      const half = measure(splitAlternately(answers)[0]);
      return {
        truth: Float64Array.from(measure(answers).mean),
        mean: Float64Array.from(half.mean),
        variance: Float64Array.from(half.variance),
      };
    });
  return { members, correlations: bank.covariance };
}

/** Reduces priorities of twenty traits to the five factors: the mean of the traits of each factor. */
export function computeFactorPriorities(job: Float64Array): Float64Array {
  return Float64Array.from(
    factorTraits,
    (codes) => codes.reduce((sum, code) => sum + job[traitCodes.indexOf(code)]!, 0) / codes.length,
  );
}
