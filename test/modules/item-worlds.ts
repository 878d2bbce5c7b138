import { createSeededRandom, drawStandardNormal, type Random } from '@tessera/psychometrics/seeded-random';
import { indexBank, type ItemBank } from '../../src/modules/measurement/traits/items/bank.ts';
import { itemBank } from '../../src/modules/measurement/traits/items/item-bank.ts';
import type { Answer, GradedItem } from '../../src/modules/measurement/traits/items/item.ts';
import { computeMeanAnswer } from '../../src/modules/measurement/traits/items/norms.ts';
import { simulateMember } from '../../src/modules/measurement/traits/measurement/simulated-member.ts';
import { simulateAssessment } from './simulated-assessment.ts';

const alike = { discrimination: 1.5, thresholds: [-1.65, -0.55, 0.55, 1.65] };

/** Ways in which our statements may really behave: each draws the true parameters of the bank in use. */
export const itemWorlds = {
  'as judged': () => itemBank,
  'wrong by as much as stated': (random) => perturbBank(itemBank, random),
  'all statements alike': () =>
    moveToMean(
      changeItems(itemBank, (item) => ({ ...item, ...alike })),
      3.63,
    ),
  'like real statements': (random) => drawLikeReal(itemBank, random),
} as const satisfies Record<string, (random: Random) => ItemBank>;

/** People whose answers come from the same draw of the parameters. */
const people_per_draw = 10;

/** Simulates the complete assessments of honest people in a world. The items are chosen with the parameters of the bank in use. */
export function simulateWorld(
  world: keyof typeof itemWorlds,
  people: number,
  seed: number,
): readonly (readonly Answer[])[] {
  const random = createSeededRandom(seed);
  const draws = Array.from({ length: Math.ceil(people / people_per_draw) }, () => itemWorlds[world](random));
  return Array.from({ length: people }, (_, index) =>
    simulateAssessment(simulateMember(random), `${world}-${seed}-${index}`, random, {
      truth: draws[Math.floor(index / people_per_draw)]!,
    }),
  );
}

/** Draws the true parameters: those of the bank with errors as large as the bank says. */
export function perturbBank(bank: ItemBank, random: Random): ItemBank {
  const { shared, items } = bank.errors;
  const draw = ({ location, log_discrimination }: typeof shared) => ({
    location: location * drawStandardNormal(random),
    factor: Math.exp(log_discrimination * drawStandardNormal(random)),
  });
  const byTrait = new Map(bank.traits.map((trait) => [trait, draw(shared)]));
  return changeItems(bank, (item) => {
    const [common, own] = [byTrait.get(item.trait)!, draw(items)];
    return {
      ...moveLocation(item, common.location + own.location),
      discrimination: item.discrimination * common.factor * own.factor,
    };
  });
}

/** Moves the statements of each trait so that the average member of the population answers `mean`. */
export function moveToMean(bank: ItemBank, mean: number): ItemBank {
  return indexBank({
    ...bank,
    graded: bank.traits.flatMap((trait) => moveItemsToMean(bank.gradedByTrait.get(trait)!, mean)),
  });
}

/** Moves the thresholds of all items by the same distance, so that the mean keyed answer of the population, from 1 on, is `mean`. */
export function moveItemsToMean<Trait extends string>(
  items: readonly GradedItem<Trait>[],
  mean: number,
): readonly GradedItem<Trait>[] {
  let [low, high] = [-3, 3];
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2;
    const answered = items.reduce((sum, item) => sum + computeMeanAnswer(item, middle), 0) / items.length;
    [low, high] = answered > mean ? [middle, high] : [low, middle];
  }
  return items.map((item) => moveLocation(item, low));
}

/** Moves all thresholds of a statement. */
export function moveLocation<Trait extends string>(
  item: GradedItem<Trait>,
  distance: number,
): GradedItem<Trait> {
  return { ...item, thresholds: item.thresholds.map((threshold) => threshold + distance) };
}

/**
 * Draws parameters like those of 135 real statements, calibrated with 1,300 people of the SPI (`../shared/data/spi`): ln a has a mean of 0.75
 * and a standard deviation of 0.42, the location one of -0.36 and 0.66, and the thresholds are further apart where a is low. Their five
 * thresholds are interpolated to four. Nothing of a judgement is kept, so that this is a bound of how wrong judgements can be.
 */
function drawLikeReal(bank: ItemBank, random: Random): ItemBank {
  return changeItems(bank, (item) => {
    const z = drawStandardNormal(random);
    const location = -0.36 + 0.66 * drawStandardNormal(random);
    const spread = Math.exp(-0.18 * z + 0.17 * drawStandardNormal(random));
    return {
      ...item,
      discrimination: 2.11 * Math.exp(0.42 * z),
      thresholds: [-1.61, -0.52, 0.45, 1.72].map((threshold) => location + spread * threshold),
    };
  });
}

function changeItems(bank: ItemBank, change: (item: GradedItem) => GradedItem): ItemBank {
  return indexBank({ ...bank, graded: bank.graded.map(change) });
}
