import { expect, test } from 'vitest';
import { createSeededRandom, type Random } from '@tessera/psychometrics/seeded-random';
import { cholesky, flattenRows, toKeyedCategory } from '@tessera/psychometrics';
import { indexBank } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import type { Answer, GradedItem } from '../items/item.ts';
import { drawCorrelatedNormals, simulateStatementOption } from '../measurement/simulated-member.ts';
import { calibrateBank } from './calibrate-bank.ts';
import { findInCalibration, type EarlierCalibration } from './find-in-calibration.ts';

const traits = ['sincerity', 'discretion'] as const;
const bank = indexBank({
  ...itemBank,
  traits,
  covariance: [
    [1, 0.4],
    [0.4, 1],
  ],
  graded: itemBank.graded.filter(({ trait }) => traits.some((each) => each === trait)),
  retired: [],
  scenarios: [],
});
const root = cholesky(flattenRows(bank.covariance));
const respondents = 700;

type Choice = (
  item: GradedItem<string>,
  theta: number,
  random: Random,
  before: ReadonlyMap<string, number>,
) => number | undefined;

/** Simulates people who each answer six of ten statements as the model says, except where `choose` gives another keyed category. */
function simulateAnswers(seed: number, choose: Choice = () => undefined): readonly (readonly Answer[])[] {
  const random = createSeededRandom(seed);
  return Array.from({ length: respondents }, () => {
    const values = drawCorrelatedNormals(root, random);
    const keyed = new Map<string, number>();
    return bank.graded.flatMap((item) => {
      if (random() > 0.6) return [];
      const theta = values[bank.slots.get(item.trait)!]!;
      const honest = toKeyedCategory(item, simulateStatementOption(item, theta, random));
      const category = choose(item, theta, random, keyed) ?? honest;
      keyed.set(item.id, category);
      return [{ item_id: item.id, option: toKeyedCategory(item, category) }];
    });
  });
}

const changeItem = (id: string, change: Partial<GradedItem>): Choice => {
  const item = { ...bank.graded.find((each) => each.id === id)!, ...change };
  return ({ id: asked }, theta, random) =>
    asked === id ? toKeyedCategory(item, simulateStatementOption(item, theta, random)) : undefined;
};

const combine =
  (...choices: readonly Choice[]): Choice =>
  (...given) =>
    choices.map((choose) => choose(...given)).find((category) => category !== undefined);

const calibrate = (answers: readonly (readonly Answer[])[]) => calibrateBank(bank, answers);

const toEarlier = ({ parameters }: ReturnType<typeof calibrate>): EarlierCalibration => ({
  version: 'before',
  items: parameters.items,
});

const clean = calibrate(simulateAnswers(1));
const list = (answers: readonly (readonly Answer[])[], before?: EarlierCalibration) =>
  findInCalibration(calibrate(answers).traits, before);

test('statements that behave as the model says lead to no finding, and to no drift between two samples', () => {
  expect(findInCalibration(clean.traits, undefined)).toEqual([]);
  expect(list(simulateAnswers(2), toEarlier(clean))).toEqual([]);
});

test('a statement that hardly tells people apart, one that those with most of the trait reject, and a pair that is answered alike are found', () => {
  const weak = changeItem('sincerity_03', { discrimination: 0.35 });
  // Those who have most of the trait reject the statement, because they find it too weak.
  const rejectAtTop: Choice = ({ id }, theta) => (id === 'discretion_03' && theta > 1.6 ? 0 : undefined);
  const copyAnswer: Choice = ({ id }, _, random, before) =>
    id === 'discretion_09' && random() < 0.5 ? before.get('discretion_08') : undefined;
  const findings = list(simulateAnswers(3, combine(weak, rejectAtTop, copyAnswer)));
  expect(findings).toEqual([
    expect.objectContaining({ kind: 'weak', item_ids: ['sincerity_03'] }),
    expect.objectContaining({ kind: 'misfit', item_ids: ['discretion_03'] }),
    expect.objectContaining({ kind: 'dependent', item_ids: ['discretion_08', 'discretion_09'] }),
  ]);
});

test('a statement whose location or discrimination changed between two calibrations has drifted, and the others have not', () => {
  const { thresholds, discrimination } = bank.graded.find(({ id }) => id === 'sincerity_05')!;
  const moved = changeItem('sincerity_05', { thresholds: thresholds.map((each) => each + 0.8) });
  const flattened = changeItem('discretion_07', { discrimination: discrimination / 2 });
  expect(list(simulateAnswers(4, combine(moved, flattened)), toEarlier(clean))).toMatchObject([
    { kind: 'drifted', item_ids: ['sincerity_05'], subject: 'location', compared_with: 'before' },
    { kind: 'drifted', item_ids: ['discretion_07'], subject: 'discrimination', compared_with: 'before' },
  ]);
});

test('a change of the people, who all agree more, is no drift of statements', () => {
  const others = Object.fromEntries(
    Object.entries(toEarlier(clean).items).map(([id, { thresholds, ...item }]) => [
      id,
      { ...item, thresholds: thresholds.map((each) => each + 0.6) },
    ]),
  );
  expect(list(simulateAnswers(5), { version: 'before', items: others })).toEqual([]);
});
