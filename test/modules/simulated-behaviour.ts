import { drawBelow, drawStandardNormal, type Random } from '@tessera/psychometrics/seeded-random';
import { isGraded, listOptionTexts, type Item } from '../../src/modules/measurement/traits/items/item.ts';

/** Changes the option that an honest member would choose. `place` is the number of items before. */
export type Behaviour = (honest: number, item: Item<string>, place: number) => number;

/** Ways of answering, each created for one simulated member. All but the first are careless, idealised or coloured by a style. */
export const behaviours = {
  honest: () => (honest) => honest,
  'strongly agrees throughout': () => (_, item) => (isGraded(item) ? 4 : 0),
  'agrees throughout': () => (_, item) => (isGraded(item) ? 3 : 0),
  'middle option throughout': () => () => 2,
  'options in turn': () => (_, item, place) => place % countOptions(item),
  'clicks at random': (random) => (_, item) => drawBelow(random, countOptions(item)),
  'clicks at random around the middle': (random) => () => 1 + drawBelow(random, 3),
  'clicks at random among the upper options': (random) => () => 2 + drawBelow(random, 3),
  'clicks at random in the second half': (random) => (honest, item, place) =>
    place < 55 ? honest : drawBelow(random, countOptions(item)),
  'mildly favourable: half of the answers one step better': (random) => (honest, item) =>
    random() < 0.5 ? improve(honest, item, 1) : honest,
  'clearly favourable: every answer one step better': () => (honest, item) => improve(honest, item, 1),
  'most favourable option throughout': () => (honest, item) => improve(honest, item, 4),
  'prefers the ends of the scale: half of the answers one step further out': (random) => (honest, item) =>
    isGraded(item) && random() < 0.5 ? limit(honest + Math.sign(honest - 2)) : honest,
  'avoids the ends of the scale: half of the extreme answers one step further in':
    (random) => (honest, item) =>
      isGraded(item) && random() < 0.5 ? Math.min(3, Math.max(1, honest)) : honest,
  'agrees more or less than others (sd a third of a step)': (random) => {
    const style = drawStandardNormal(random) / 3;
    return (honest, item) =>
      isGraded(item) && random() < Math.abs(style) ? limit(honest + Math.sign(style)) : honest;
  },
} as const satisfies Record<string, (random: Random) => Behaviour>;

/** Moves an answer to a statement towards the favourable end of the scale. Answers to situations stay. */
function improve(option: number, item: Item<string>, steps: number): number {
  if (!isGraded(item)) return option;
  return limit(item.reversed ? option - steps : option + steps);
}

function limit(option: number): number {
  return Math.min(4, Math.max(0, option));
}

function countOptions(item: Item<string>): number {
  return Math.min(5, listOptionTexts(item).length);
}
