import { createSeededRandom, drawStandardNormal, type Random } from '@tessera/psychometrics/seeded-random';
import { cholesky, flattenRows, multiplyFactor } from '@tessera/psychometrics';
import { categoricalTraits, traitCodes, traitFamilies } from '#modules/measurement/traits';

/** A matrix by rows. */
export type Matrix = readonly (readonly number[])[];

/** A member with the true traits and the posterior that an assessment would give, in slot order. */
export type SimulatedMember = {
  readonly truth: Float64Array;
  readonly mean: Float64Array;
  readonly variance: Float64Array;
};

/** A population: the correlations of traits within and across families, and the standard deviation of a style that raises all answers. */
export type PopulationModel = {
  readonly within: number;
  readonly across: number;
  readonly style: number;
};

/** The population that the engine assumes. */
export const assumedModel: PopulationModel = { within: 0.4, across: 0.1, style: 0 };

/** Builds the correlations of the traits, in slot order. */
export function buildCorrelations({ within, across }: Pick<PopulationModel, 'within' | 'across'>): Matrix {
  const families = Object.values(traitFamilies).flatMap((family, index) => family.map(() => index));
  return families.map((row, one) =>
    families.map((column, other) => (one === other ? 1 : row === column ? within : across)),
  );
}

/** Draws members and measures them once. */
export function drawMembers(model: PopulationModel, size: number, seed: number): readonly SimulatedMember[] {
  const random = createSeededRandom(seed);
  const drawTruth = createTruthGenerator(model, random);
  return Array.from({ length: size }, () => {
    const truth = drawTruth();
    return { truth, ...measureTraits(truth, random, model.style * drawStandardNormal(random)) };
  });
}

/** Creates a function that draws true traits. */
function createTruthGenerator(model: PopulationModel, random: Random): () => Float64Array {
  const correlations = buildCorrelations(model);
  const root = cholesky(flattenRows(correlations));
  return () => {
    const independent = correlations.map(() => drawStandardNormal(random));
    return Float64Array.from(multiplyFactor(root, independent));
  };
}

/**
 * Draws the posterior of a complete assessment: a variance v of 0.10 to 0.16, and of 0.3 to 0.5 for the categorical traits, and the mean
 * (1 - v) (t + style) + sqrt(v (1 - v)) e for each true trait t, e standard normal.
 */
function measureTraits(
  truth: Float64Array,
  random: Random,
  style = 0,
): Pick<SimulatedMember, 'mean' | 'variance'> {
  const variance = Float64Array.from(isCategorical, (categorical) =>
    categorical ? 0.3 + 0.2 * random() : 0.1 + 0.06 * random(),
  );
  const mean = variance.map((v, slot) => {
    const shown = isCategorical[slot] ? truth[slot]! : truth[slot]! + style;
    return (1 - v) * shown + Math.sqrt(v * (1 - v)) * drawStandardNormal(random);
  });
  return { mean, variance };
}

const isCategorical = traitCodes.map((code) => code in categoricalTraits);
