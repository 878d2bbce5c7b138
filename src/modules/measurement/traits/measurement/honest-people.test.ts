import { describe, expect, test } from 'vitest';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { indexBank, noErrors } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import type { Answer } from '../items/item.ts';
import { computeAnswerQuality } from './answer-quality.ts';
import { computePosterior } from './posterior.ts';
import { simulateMember } from './simulated-member.ts';
import { first_stage_items } from './stages.ts';
import { itemWorlds, simulateWorld } from '#test/modules/item-worlds.ts';
import { behaviours } from '#test/modules/simulated-behaviour.ts';
import { simulateAssessment } from '#test/modules/simulated-assessment.ts';

const people = 40;

/** The same parameters as if they were known: judged differences between statements count, and nothing is in doubt. */
const exactBank = indexBank({
  ...itemBank,
  errors: noErrors,
  graded: itemBank.graded.map((item) => ({
    ...item,
    standard_errors: { discrimination: 0, thresholds: item.thresholds.map(() => 0) },
  })),
});

/** The short form of `npm run bench -- honest`. */
describe(`${people} honest people in each world (seed 1)`, () => {
  const worlds = Object.keys(itemWorlds) as (keyof typeof itemWorlds)[];
  const answerSets = worlds.map((world) => simulateWorld(world, people, 1));

  test('are hardly ever flagged, after the first stage and at the end, whatever their statements are like', () => {
    for (const items of [first_stage_items, Infinity]) {
      const flagged = answerSets.map((sets) => countFlagged(cut(sets, items), itemBank));
      expect(sum(flagged)).toBeLessThanOrEqual(0.03 * people * worlds.length);
    }
  });

  test('would be flagged much more often if the parameters counted as known', () => {
    for (const items of [first_stage_items, Infinity]) {
      const flagged = answerSets.slice(2).map((sets) => countFlagged(cut(sets, items), exactBank));
      expect(sum(flagged)).toBeGreaterThanOrEqual(0.06 * people * flagged.length);
    }
  });
});

test(`${people} people who click at random are flagged at the end, and half of them after the first stage (seed 2)`, () => {
  const random = createSeededRandom(2);
  const answerSets = Array.from({ length: people }, (_, index) =>
    simulateAssessment(simulateMember(random), `random-${index}`, random, {
      behave: behaviours['clicks at random'](random),
    }),
  );
  expect(countFlagged(answerSets, itemBank)).toBeGreaterThanOrEqual(0.95 * people);
  expect(countFlagged(cut(answerSets, first_stage_items), itemBank)).toBeGreaterThanOrEqual(people / 2);
});

function cut(answerSets: readonly (readonly Answer[])[], items: number): readonly (readonly Answer[])[] {
  return answerSets.map((answers) => answers.slice(0, items));
}

function countFlagged(answerSets: readonly (readonly Answer[])[], bank: typeof itemBank): number {
  return answerSets.filter(
    (answers) => computeAnswerQuality(answers, computePosterior(answers, bank).mean, bank).flags.length > 0,
  ).length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
