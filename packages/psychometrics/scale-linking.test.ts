import { expect, test } from 'vitest';
import { linkScales, moveParameters } from './scale-linking.ts';

const items = [
  { discrimination: 1.4, thresholds: [-1.2, 0.1, 1.4] },
  { discrimination: 2.1, thresholds: [-0.4, 0.6, 1.1] },
  { discrimination: 0.9, thresholds: [-2, -1, 0.7] },
];

test('the link that items were moved by is found', () => {
  const link = { slope: 0.8, intercept: 0.5 };
  const found = linkScales(items.map((from) => ({ from, to: moveParameters(from, link) })));
  expect(found.slope).toBeCloseTo(0.8, 6);
  expect(found.intercept).toBeCloseTo(0.5, 6);
});

test('items that did not move have a link that moves nothing', () => {
  const found = linkScales(items.map((from) => ({ from, to: from })));
  expect(found).toEqual({ slope: expect.closeTo(1, 8), intercept: expect.closeTo(0, 8) });
});

test('one anchor that moved by itself moves the scale by a part of its distance', () => {
  const anchors = items.map((from) => ({ from, to: from }));
  const [first, ...others] = anchors;
  const drifted = { from: first!.from, to: moveParameters(first!.from, { slope: 1, intercept: 0.6 }) };
  const { intercept } = linkScales([drifted, ...others]);
  expect(intercept).toBeGreaterThan(0.05);
  expect(intercept).toBeLessThan(0.4);
});
