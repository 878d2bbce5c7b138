import { drawStandardNormal, type Random } from '@tessera/psychometrics/seeded-random';
import { indexBank, type ItemBank } from '../../src/modules/measurement/traits/items/bank.ts';
import { itemBank } from '../../src/modules/measurement/traits/items/item-bank.ts';
import type { GradedItem } from '../../src/modules/measurement/traits/items/item.ts';
import { computeMeanAnswer } from '../../src/modules/measurement/traits/items/norms.ts';

/** Ways in which our statements may really behave: each draws the true parameters of the bank in use. */
export const itemWorlds = {
  'as judged': () => itemBank,
  'wrong by as much as stated': (random) => perturbBank(itemBank, random),
  'all statements alike': () => moveToMean(equaliseItems(itemBank), 3.63),
  'like real statements': (random) => drawLikeReal(itemBank, random),
} as const satisfies Record<string, (random: Random) => ItemBank>;

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
    graded: bank.traits.flatMap((trait) => {
      const items = bank.gradedByTrait.get(trait)!;
      let [low, high] = [-3, 3];
      for (let step = 0; step < 30; step++) {
        const middle = (low + high) / 2;
        const answered = items.reduce((sum, item) => sum + computeMeanAnswer(item, middle), 0) / items.length;
        [low, high] = answered > mean ? [middle, high] : [low, middle];
      }
      return items.map((item) => moveLocation(item, low));
    }),
  });
}

/** Moves all thresholds of a statement. */
export function moveLocation(item: GradedItem, distance: number): GradedItem {
  return { ...item, thresholds: item.thresholds.map((threshold) => threshold + distance) };
}

function equaliseItems(bank: ItemBank): ItemBank {
  return changeItems(bank, (item) => ({
    ...item,
    discrimination: 1.5,
    thresholds: [-1.65, -0.55, 0.55, 1.65],
  }));
}

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
