import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { createSeededRandom, drawStandardNormal, type Random } from '@tessera/psychometrics/seeded-random';
import { toKeyedCategory } from '@tessera/psychometrics';
import { indexBank, noErrors, replaceParameters, type ItemBank } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import type { Answer, GradedItem } from '../items/item.ts';
import { simulateStatementOption } from '../measurement/simulated-member.ts';
import { compareFunctioning, createPacker, type GroupComparison } from './compare-functioning.ts';

const traits = ['persistence', 'sincerity'] as const;
const bank: ItemBank<string> = indexBank({
  ...(itemBank as ItemBank<string>),
  traits,
  covariance: [
    [1, 0.1],
    [0.1, 1],
  ],
  graded: traits.flatMap((trait) => itemBank.gradedByTrait.get(trait)!.slice(0, 6)),
  retired: [],
  scenarios: [],
});

type Person = { readonly gender: string; readonly answers: readonly Answer[] };

/** Simulates 310 men, and 210 women who have half a standard deviation less of both traits. */
function simulatePeople(random: Random): readonly Person[] {
  const simulate = (gender: string, mean: number): Person => {
    const values = traits.map(() => mean + drawStandardNormal(random));
    const answers = bank.graded.map((item) => ({
      item_id: item.id,
      option: simulateStatementOption(item, values[bank.slots.get(item.trait)!]!, random),
    }));
    return { gender, answers };
  };
  return [
    ...Array.from({ length: 210 }, () => simulate('woman', -0.5)),
    ...Array.from({ length: 310 }, () => simulate('man', 0)),
  ];
}

/** Makes half of the women answer a statement one step higher than they would. */
function plant(people: readonly Person[], item: GradedItem<string>, random: Random): readonly Person[] {
  const top = item.thresholds.length;
  const move = (answer: Answer): Answer =>
    answer.item_id === item.id
      ? { ...answer, option: toKeyedCategory(item, Math.min(top, toKeyedCategory(item, answer.option) + 1)) }
      : answer;
  return people.map(({ gender, answers }) => ({
    gender,
    answers: gender === 'woman' && random() < 0.5 ? answers.map(move) : answers,
  }));
}

function compare(people: readonly Person[], of = bank): Promise<readonly GroupComparison[]> {
  const pack = createPacker(of);
  return compareFunctioning(
    people.map(({ gender, answers }) => pack({ gender }, answers)),
    of,
  );
}

test('of statements that half of one group answers a step higher, five of six are found with 520 people', async () => {
  const random = createSeededRandom(31);
  let found = 0;
  for (const item of [...bank.graded, ...bank.graded, ...bank.graded]) {
    const [comparison] = await compare(plant(simulatePeople(random), item, random));
    expect(comparison).toMatchObject({ attribute: 'gender', group: 'woman', reference: 'man', compared: 12 });
    const planted = comparison!.items.find(({ item_id }) => item_id === item.id);
    if (planted && planted.effect > 0 && planted.answered === 520) found++;
  }
  expect(found / (3 * bank.graded.length)).toBeGreaterThan(5 / 6);
});

test('of statements that work alike, one in a hundred at most is found, although the groups differ in the traits', async () => {
  const random = createSeededRandom(32);
  const runs = 60;
  let found = 0;
  for (let run = 0; run < runs; run++) found += (await compare(simulatePeople(random)))[0]!.items.length;
  expect(found / (runs * bank.graded.length)).toBeLessThan(0.01);
});

test('a statement that differs much does not make others of its trait look as if they differed the other way', async () => {
  const random = createSeededRandom(33);
  const [item] = bank.graded;
  const runs = 30;
  let others = 0;
  for (let run = 0; run < runs; run++) {
    const people = plant(plant(simulatePeople(random), item!, random), item!, random);
    const [comparison] = await compare(people);
    others += comparison!.items.filter(({ item_id }) => item_id !== item!.id).length;
  }
  // If it stayed in the estimates by which people are compared, 14 of 100 would be found.
  expect(others / (runs * 5)).toBeLessThan(0.05);
});

test('too few answers are not compared, and retired or skipped statements count nothing', async () => {
  const people = simulatePeople(createSeededRandom(34));
  expect(await compare(people.slice(15))).toEqual([]);
  const retired = replaceParameters(bank, 'decided', false, {
    items: {},
    correlations: null,
    decisions: { weights: { [bank.graded[0]!.id]: 0 }, pairs: [] },
  });
  expect((await compare(people, retired))[0]!.compared).toBe(11);
  const skippable = bank.graded.find(({ may_not_apply }) => may_not_apply);
  const skipped = createPacker(bank)({}, [
    { item_id: 'gone_01', option: 1 },
    ...(skippable ? [{ item_id: skippable.id, option: 5 }] : []),
  ]);
  expect(skipped.places).toHaveLength(0);
});

const data = process.env['BENCH_DATA'] ?? path.join(import.meta.dirname, '../../../../../../../shared/data');
const published = path.join(data, 'bfi/bfi-calibration.csv');

describe.skipIf(!existsSync(published))('real answers (skipped if ../shared/data/bfi is absent)', () => {
  const reversed = new Set(['A1', 'C4', 'C5', 'E1', 'E2', 'O2', 'O5']);
  const scales = ['A', 'C', 'E', 'N', 'O'] as const;
  const ids = scales.flatMap((trait) => [1, 2, 3, 4, 5].map((place) => `${trait}${place}`));
  const thresholds = [-1.6, -0.8, 0, 0.8, 1.6];
  /** With a copy of C1 that works differently for women: they choose one option more. */
  const published_bank: ItemBank<string> = indexBank({
    ...bank,
    traits: scales,
    covariance: scales.map((row) => scales.map((column) => (row === column ? 1 : 0))),
    graded: [...ids, 'C1-planted'].map((id) => ({
      id,
      trait: id[0]!,
      text: id,
      ...(reversed.has(id) && { reversed: true as const }),
      discrimination: 1.3,
      thresholds,
    })),
    errors: noErrors,
  });

  test('a planted item is found, and few of the others differ much', async () => {
    const rows = parse(readFileSync(published), { columns: true }) as Readonly<Record<string, string>>[];
    const people = rows.flatMap((row): Person[] => {
      const answers = ids.flatMap((id) =>
        /^\d$/.test(row[id] ?? '') ? [{ item_id: id, option: Number(row[id]) - 1 }] : [],
      );
      // The published code book: 1 is male and 2 is female.
      const gender = { 1: 'man', 2: 'woman' }[row['gender']!];
      if (gender === undefined || answers.length < 25) return [];
      const { option } = answers.find(({ item_id }) => item_id === 'C1')!;
      const planted = { item_id: 'C1-planted', option: Math.min(5, option + (gender === 'woman' ? 1 : 0)) };
      return [{ gender, answers: [...answers, planted] }];
    });
    expect(people.length).toBeGreaterThan(1_000);
    const [men, ...others] = await compare(people, published_bank);
    expect(others).toEqual([]);
    expect(men).toMatchObject({ attribute: 'gender', group: 'man', reference: 'woman', compared: 26 });
    expect(men!.items[0]).toMatchObject({ item_id: 'C1-planted', trait: 'C', item_class: 'large' });
    expect(men!.items.filter(({ item_class }) => item_class === 'large').length).toBeLessThan(8);
  });
});
