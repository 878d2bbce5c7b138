import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { computeFit, computeFitWeights, computeTier, type FitWeights } from '#modules/matching/engine';
import { readTemplates } from '#modules/matching/jobs';
import { builtInNorms, itemBank, traitCodes, type TraitNorms } from '#modules/measurement/traits';
import type { ItemBank } from '../../src/modules/measurement/traits/items/bank.ts';
import { addParameterErrors } from '../../src/modules/measurement/traits/measurement/parameter-errors.ts';
import { computePosterior } from '../../src/modules/measurement/traits/measurement/posterior.ts';
import {
  simulateMember,
  simulateStatementOption,
} from '../../src/modules/measurement/traits/measurement/simulated-member.ts';
import { buildTraitNorms } from '../../src/modules/measurement/traits/parameters/trait-norms.ts';
import { familyCovariance } from '../../src/modules/measurement/traits/prior.ts';
import { itemWorlds } from '../../test/modules/item-worlds.ts';
import { nearestScales, shuffle } from '../lib/answers.ts';
import { formatPercent, type Table } from '../lib/report.ts';
import { onetDir } from '../lib/shared-data.ts';
import { average, type RealPeople } from './people.ts';

export type Vector = { readonly mean: readonly number[]; readonly variance: readonly number[] };
export type Matrix = readonly (readonly number[])[];

/** Says how many real people reach `strong` in each occupation, and how many simulated ones reach it though their true fit does not. */
export async function measureTiers(people: RealPeople, quick: boolean): Promise<readonly Table[]> {
  const templates = await readTemplates(onetDir);
  const jobs = templates
    .filter((_, index) => index % (quick ? 40 : 8) === 0)
    .map(({ trait_priorities }) => trait_priorities);
  const weigh = (norms: TraitNorms) => jobs.map((job) => computeFitWeights(job, norms));
  return [compareOccupations(people, weigh), countFalse(weigh(builtInNorms), quick)];
}

/** Compares the shares of people who are strong or better between occupations, with the correlations by family, the judged and the learned ones. */
function compareOccupations(
  { bank, others }: RealPeople,
  weigh: (norms: TraitNorms) => readonly FitWeights[],
): Table {
  const places = traitCodes.map((code) => findScale(bank.traits, code));
  const vectors = others.map((answers): Vector => {
    const { mean, variance } = computePosterior(answers, bank);
    return {
      mean: places.map((scale) => (scale ? scale.sign * mean[scale.place]! : 0)),
      variance: places.map((scale) => (scale ? variance[scale.place]! : 0)),
    };
  });
  const readNorms = (covariance: Matrix) => buildTraitNorms({ ...itemBank, covariance }).correlations;
  const rows = Object.entries({
    'by family (earlier)': readNorms(familyCovariance),
    judged: readNorms(itemBank.covariance),
    learned: undefined,
  }).map(([name, correlations]) => {
    const shares = weigh(buildScaleNorms(bank, correlations))
      .map((weights) => average(vectors.map((vector) => Number(isStrong(weights, vector)))))
      .toSorted((one, other) => one - other);
    const find = (share: number) => shares[Math.floor(share * (shares.length - 1))]!;
    return [
      name,
      ...[0.05, 0.5, 0.95].map((share) => formatPercent(find(share))),
      (find(0.95) / find(0.05)).toFixed(1),
    ];
  });
  return {
    head: [
      `strong or better, ${others.length} real people, correlations`,
      'occupation at 5 %',
      'median',
      'at 95 %',
      'factor',
    ],
    rows,
  };
}

/**
 * Builds the norms of traits that scales stand for, by default with the correlations of these. Traits without a scale are 0 for everybody, so that
 * they have no part in the deviation of a fit.
 */
export function buildScaleNorms(bank: ItemBank<string>, correlations?: Matrix): TraitNorms {
  const places = traitCodes.map((code) => findScale(bank.traits, code));
  const findCorrelation = (row: number, column: number) => {
    const [one, other] = [places[row], places[column]];
    if (!one || !other) return 0;
    return correlations?.[row]![column] ?? one.sign * other.sign * bank.covariance[one.place]![other.place]!;
  };
  return {
    correlations: places.map((_, row) => places.map((__, column) => findCorrelation(row, column))),
    shared_errors: places.map(() => bank.errors.shared.location),
  };
}

/** Finds the scale of the SPI that is nearest to a trait, and the sign with which it runs. */
export function findScale(
  scales: readonly string[],
  code: string,
): { place: number; sign: number } | undefined {
  const scale = new Map<string, string>(Object.entries(nearestScales)).get(code);
  if (scale === undefined) return undefined;
  return { place: scales.indexOf(scale.replace('-', '')), sign: scale.startsWith('-') ? -1 : 1 };
}

function isStrong(weights: FitWeights, { mean, variance }: Vector): boolean {
  const fit = computeFit(weights, mean, variance);
  return ['strong', 'exceptional'].includes(computeTier(fit.mean, fit.sd, weights.shared_sd));
}

const items_per_trait = 7;

/** Counts strong labels, and those whose true fit is below the cut, of lists whose members have one error in common. */
function countFalse(jobs: readonly FitWeights[], quick: boolean): Table {
  const [lists, people] = quick ? [2, 10] : [8, 40];
  const rows = Object.entries(itemWorlds).map(([world, draw]) => {
    const random = createSeededRandom(3);
    const counts = { labels: 0, before: 0, before_false: 0, strong: 0, strong_false: 0, never: 0 };
    for (let list = 0; list < lists; list += 1) {
      const truth = draw(random);
      for (let person = 0; person < people; person += 1) {
        const member = simulateMember(random);
        const answers = itemBank.traits.flatMap((trait, slot) =>
          shuffle(itemBank.gradedByTrait.get(trait)!, random)
            .slice(0, items_per_trait)
            .map(({ id }) => ({
              item_id: id,
              option: simulateStatementOption(
                truth.graded.find((item) => item.id === id)!,
                member.traits[slot]!,
                random,
              ),
            })),
        );
        const posterior = addParameterErrors(computePosterior(answers), answers, itemBank);
        const vector = { mean: toSlots(posterior.mean), variance: toSlots(posterior.variance) };
        const fits = jobs.map((weights) => ({
          weights,
          ...computeFit(weights, vector.mean, vector.variance),
        }));
        for (const { weights, mean, sd } of fits) {
          const isTrue = computeFit(weights, toSlots(member.traits), vector.variance).mean >= 1;
          const before = computeTier(mean, sd, 0);
          const isBefore = before === 'strong' || before === 'exceptional';
          const isNow = isStrong(weights, vector);
          counts.labels += 1;
          counts.before += Number(isBefore);
          counts.before_false += Number(isBefore && !isTrue);
          counts.strong += Number(isNow);
          counts.strong_false += Number(isNow && !isTrue);
        }
        counts.never += Number(
          fits.every(({ weights, mean, sd }) => computeTier(mean, sd, weights.shared_sd) === 'developing'),
        );
      }
    }
    return [
      world,
      formatPercent(counts.before / counts.labels),
      formatPercent(counts.before_false / counts.before),
      formatPercent(counts.strong / counts.labels),
      formatPercent(counts.strong_false / counts.strong),
      formatPercent(counts.never / (lists * people)),
    ];
  });
  return {
    head: [
      `statements are, ${lists} lists of ${people} people, ${jobs.length} occupations`,
      'strong, all errors individual (earlier)',
      'of these false',
      'strong',
      'of these false',
      'never moderate',
    ],
    rows,
  };
}

function toSlots(values: ArrayLike<number>): readonly number[] {
  return traitCodes.map((code) => values[itemBank.traits.findIndex((trait) => trait === code)] ?? 0);
}
