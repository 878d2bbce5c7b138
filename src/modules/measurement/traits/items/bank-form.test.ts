import { expect, test } from 'vitest';
import { OperatorError } from '#platform/command-line.ts';
import { buildForm, buildItem, parseOptions } from './bank-form.ts';

type Cells = Readonly<Record<string, string>>;

/** Three statements of a scale, with other cells for the last one. */
function build(change: Cells = {}) {
  const rows = ['a', 'b', 'c'].map((item_id, index) => ({
    cells: { item_id, scale: 'calm', sign: '+', options: '6', ...(index === 2 && change) },
    where: `bank.csv, line ${index + 2}`,
  }));
  return buildForm('bank.csv', rows);
}

test('a statement has a scale, a key, texts by language, enemies and a trait', () => {
  const trait = 'pressure_response';
  const rows = ['a', 'b', 'c'].map((item_id) => ({
    cells: {
      item_id,
      scale: 'calm',
      sign: '-1',
      options: '0-4',
      trait,
      enemies: 'a b c'.replace(item_id, ''),
      'text:en': 'One',
      'text:de': 'Eins',
    },
    where: 'bank.csv, line 2',
  }));
  const { scales, statements } = buildForm('bank.csv', rows);
  expect(scales).toEqual([{ scale: 'calm', trait }]);
  expect(statements[0]).toEqual({
    item_id: 'a',
    scale: 'calm',
    sign: '-',
    options: '0-4',
    text: { en: 'One', de: 'Eins' },
    enemies: ['b', 'c'],
  });
  expect(buildItem(statements[0]!)).toMatchObject({
    reversed: true,
    text: 'One',
    thresholds: [-1.5, -0.5, 0.5, 1.5],
  });
});

test('options are a number, a range or words', () => {
  expect(['6', '0-4', 'No|Perhaps|Yes', '0|1', '1', '0-10', 'a||b', ''].map(parseOptions)).toEqual([
    { lowest: 1, count: 6 },
    { lowest: 0, count: 5 },
    { lowest: 1, count: 3 },
    { lowest: 0, count: 2 },
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test.each<[string, Cells, RegExp]>([
  ['an id that is there twice', { item_id: 'a' }, /line 4, column item_id: "a" is there twice/],
  ['an id that is no name', { item_id: '__proto__' }, /line 4, column item_id: "__proto__" is not a name/],
  ['an unknown sign', { sign: 'x' }, /line 4, column sign: "x" is neither \+ nor -/],
  ['options that are none', { options: '1' }, /line 4, column options: "1" is not a number of options/],
  [
    'options that differ',
    { options: '5' },
    /line 4, column options: "5" differs from "6" of the same scale \(bank\.csv, line 2\)/,
  ],
  ['a trait that differs', { trait: 'sincerity' }, /line 4, column trait: differs/],
  ['an unknown trait', { trait: 'luck' }, /line 4, column trait: "luck" is not a trait/],
  [
    'a scale with one statement',
    { scale: 'other' },
    /column scale: "calm" has 2 statements, but a scale needs at least 3/,
  ],
  ['an unknown enemy', { enemies: 'z' }, /line 4, column enemies: "z" is no other statement/],
  ['an unknown status', { status: 'gone' }, /line 4, column status/],
  ['another word than yes', { may_not_apply: 'no' }, /line 4, column may_not_apply/],
  [
    'an unknown language',
    { 'text:English': 'One' },
    /line 4, column text:English: this is not the code of a language/,
  ],
  ['a long text', { 'text:en': 'x'.repeat(1_001) }, /line 4, column text:en: the text is longer/],
  ['half of the parameters', { discrimination: '1' }, /line 4, column threshold:1: this is not a parameter/],
])('refuses %s', (_, change, line) => {
  expect(() => build(change)).toThrow(line);
  expect(() => build(change)).toThrow(OperatorError);
});

test('refuses an empty file and one with too many statements', () => {
  expect(() => buildForm('bank.csv', [])).toThrow('bank.csv has no statements');
  const rows = Array.from({ length: 2_001 }, () => ({ cells: {}, where: '' }));
  expect(() => buildForm('bank.csv', rows)).toThrow(/more than 2000 statements/);
});
