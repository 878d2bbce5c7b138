import { existsSync } from 'node:fs';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import {
  buildLatentVector,
  builtInNorms,
  computeCategoricalPosterior,
  traitCodes,
  type LatentVector,
  type TraitNorms,
} from '#modules/measurement/traits';
import { drawSyntheticMember } from '../../src/demo/synthetic-members.ts';
import { addParameterErrors } from '../../src/modules/measurement/traits/measurement/parameter-errors.ts';
import { computePosterior } from '../../src/modules/measurement/traits/measurement/posterior.ts';
import { spiFiles } from '../lib/answers.ts';
import { readPeople } from '../real-people/people.ts';
import { buildScaleNorms, findScale } from '../real-people/tiers.ts';

/** People who are measured, in random order, and the norms by which jobs weigh their traits. */
export type Population = {
  readonly name: string;
  readonly people: readonly LatentVector[];
  readonly norms: TraitNorms;
};

/** Lists the populations: that of the demonstration, and the real people if their answers are there. */
export async function listPopulations(quick: boolean): Promise<readonly Population[]> {
  const drawn = drawPopulation(quick ? 500 : 4_000);
  return existsSync(spiFiles.answers) ? [drawn, await readRealPopulation(quick)] : [drawn];
}

function drawPopulation(size: number): Population {
  const random = createSeededRandom(12);
  const people = Array.from({ length: size }, () => {
    const { posterior, scenarios } = drawSyntheticMember(random);
    const ways = (['decision_mode', 'conflict_style'] as const).map((trait) =>
      computeCategoricalPosterior(trait, scenarios),
    );
    return buildLatentVector(posterior, ways);
  });
  return { name: 'drawn', people, norms: builtInNorms };
}

/** Measures real people by the scales that are nearest to our traits. A trait without a scale is unknown. */
async function readRealPopulation(quick: boolean): Promise<Population> {
  const { bank, others } = await readPeople(quick);
  const places = traitCodes.map((code) => findScale(bank.traits, code));
  const people = others.map((answers) => {
    const { mean, variance } = addParameterErrors(computePosterior(answers, bank), answers, bank);
    return {
      mean: places.map((scale) => (scale ? scale.sign * mean[scale.place]! : 0)),
      variance: places.map((scale) => (scale ? variance[scale.place]! : 1)),
    };
  });
  return { name: 'real', people, norms: buildScaleNorms(bank) };
}
