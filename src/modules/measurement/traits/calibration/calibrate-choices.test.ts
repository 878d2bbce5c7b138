import { computeChoiceProbabilities } from '@tessera/psychometrics';
import { expect, test } from 'vitest';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { replaceParameters } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import { categoricalTraits } from '../taxonomy.ts';
import { calibrateChoices, toChoiceParameters } from './calibrate-choices.ts';
import { listScenarios } from '#test/modules/items.ts';

const ways: readonly string[] = categoricalTraits.conflict_style;

test('the choices of 300 respondents correct the popularity of ways and the spread of preferences (seed 71)', () => {
  const random = createSeededRandom(71);
  const truth = listScenarios('conflict_style').map(({ id, options }) => ({
    id,
    options,
    popularity: centre(ways.map(() => 0.8 * drawStandardNormal(random))),
  }));
  const answerSets = Array.from({ length: 300 }, () => {
    const preferences = centre(ways.map(() => 1.3 * drawStandardNormal(random)));
    return truth.map(({ id, options, popularity }) => {
      let left = random();
      const way = computeChoiceProbabilities(popularity, preferences).findIndex((p) => (left -= p) < 0);
      return { item_id: id, option: options.findIndex(({ value }) => value === ways[way === -1 ? 4 : way]) };
    });
  });
  const report = calibrateChoices('conflict_style', itemBank, answerSets);
  expect(report).toMatchObject({ respondents: 300, converged: true });
  expect(Math.abs(report.spread - 1.3)).toBeLessThan(0.18);
  expect(report.norm_error).toBeLessThan(0.16);
  const errors = report.scenarios.flatMap(({ item_id, popularity, chosen }) => {
    expect(chosen.reduce((sum, count) => sum + count, 0)).toBe(300);
    const real = truth.find(({ id }) => id === item_id)!.popularity;
    return popularity.map((value, way) => value - real[way]!);
  });
  expect(Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length)).toBeLessThan(0.22);
});

test('without choices the parameters stay as they are', () => {
  const report = calibrateChoices('decision_mode', itemBank, [
    [{ item_id: itemBank.graded[0]!.id, option: 2 }],
  ]);
  expect(report).toMatchObject({ respondents: 0, cycles: 0 });
  const bank = replaceParameters(itemBank, 'same', true, {
    items: {},
    correlations: null,
    scenarios: toChoiceParameters(report),
  });
  for (const [index, { choice }] of bank.scenarios.entries())
    for (const [way, value] of choice.popularity.entries())
      expect(value).toBeCloseTo(itemBank.scenarios[index]!.choice.popularity[way]!, 3);
});

function centre(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}
