import { expect, test } from 'vitest';
import { gammaCdf, logGamma, normalCdf } from './special-functions.ts';

test('the normal distribution function agrees with published values', () => {
  const published = [
    [0, 0.5],
    [1, 0.841344746068543],
    [-1.96, 0.024997895148220435],
    [2.5758293035489004, 0.995],
    [-4, 3.167124183311986e-5],
    [6, 0.9999999990134123],
  ] as const;
  for (const [x, value] of published) expect(Math.abs(normalCdf(x) - value)).toBeLessThan(1e-13);
});

test('the normal distribution function increases from 0 to 1 and is symmetric', () => {
  let before = 0;
  for (let x = -12; x <= 12; x += 0.01) {
    const value = normalCdf(x);
    expect(value).toBeGreaterThan(before - 1e-13);
    expect(value + normalCdf(-x)).toBeCloseTo(1, 13);
    before = value;
  }
  expect([normalCdf(-Infinity), normalCdf(Infinity)]).toEqual([0, 1]);
});

test('gamma functions agree with closed forms', () => {
  expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 12);
  expect(logGamma(7)).toBeCloseTo(Math.log(720), 12);
  for (const x of [0.1, 1, 5, 30]) expect(gammaCdf(1, x)).toBeCloseTo(1 - Math.exp(-x), 12);
  for (const x of [0.1, 1, 5, 30]) expect(gammaCdf(2, x)).toBeCloseTo(1 - (1 + x) * Math.exp(-x), 12);
});
