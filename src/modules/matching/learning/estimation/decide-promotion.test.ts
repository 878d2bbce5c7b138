import { expect, it, test } from 'vitest';
import { listRefusalReasons } from './decide-promotion.ts';
import { computeImpactRatios } from './impact-ratios.ts';

const good = { gain: 0.01, lower_bound: 0.002, effective_share: 0.9, outcomes: 400, organisations: 20 };
const ratio = { attribute: 'gender', group: 'woman', live_ratio: 0.9, candidate_ratio: 0.85 };

test('a candidate that reaches everything may be promoted', () => {
  expect(listRefusalReasons(good, [ratio], [0.08, -0.08])).toEqual([]);
});

test.each([
  ['too_few_outcomes', { ...good, outcomes: 199 }, ratio, 0],
  ['too_few_organisations', { ...good, organisations: 9 }, ratio, 0],
  ['effective_sample_too_small', { ...good, effective_share: 0.09 }, ratio, 0],
  ['effective_sample_too_small', { ...good, effective_share: Number.NaN }, ratio, 0],
  ['no_gain', { ...good, gain: 0 }, ratio, 0],
  ['lower_bound_too_low', { ...good, lower_bound: -0.002 }, ratio, 0],
  ['lower_bound_too_low', { ...good, lower_bound: Number.NaN }, ratio, 0],
  ['four_fifths_regression', good, { ...ratio, candidate_ratio: 0.79 }, 0],
  ['step_too_large', good, ratio, 0.0801],
] as const)('%s keeps a candidate from being promoted', (reason, estimate, group, step) => {
  expect(listRefusalReasons(estimate, [group], [step])).toEqual([reason]);
});

test('a group that is below four fifths already does not stop a candidate that makes it no worse', () => {
  expect(listRefusalReasons(good, [{ ...ratio, live_ratio: 0.6, candidate_ratio: 0.6 }], [])).toEqual([]);
  expect(listRefusalReasons(good, [{ ...ratio, live_ratio: 0.6, candidate_ratio: 0.59 }], [])).toEqual([
    'four_fifths_regression',
  ]);
});

it('ratios are relative to the most selected group, and say nothing of groups below ten', () => {
  const members = [
    ...Array.from({ length: 10 }, (_, index) => ({
      id: `w${index}`,
      gender: 'woman',
      live: 4,
      candidate: 2,
    })),
    ...Array.from({ length: 12 }, (_, index) => ({ id: `m${index}`, gender: 'man', live: 5, candidate: 5 })),
    ...Array.from({ length: 9 }, (_, index) => ({
      id: `n${index}`,
      gender: 'non_binary',
      live: 0,
      candidate: 0,
    })),
  ];
  const selections = members.map(({ id, live, candidate }) => ({ member_id: id, jobs: 10, live, candidate }));
  const answers = new Map(members.map(({ id, gender }) => [id, { gender, disability: null }]));
  expect(computeImpactRatios(selections, answers)).toEqual([
    { attribute: 'gender', group: 'woman', live_ratio: 0.8, candidate_ratio: 0.4 },
    { attribute: 'gender', group: 'man', live_ratio: 1, candidate_ratio: 1 },
  ]);
  expect(computeImpactRatios(selections.slice(0, 10), answers)).toEqual([]);
  const none = selections.map((each) => ({ ...each, live: 0, candidate: 0 }));
  expect(computeImpactRatios(none, answers).every((each) => each.candidate_ratio === 1)).toBe(true);
});
