import { expect, test } from 'vitest';
import { describeCulture } from './describe-culture.ts';

const braving = {
  boundaries: 0.5,
  reliability: 0.6,
  accountability: 0.5,
  vault: 0.39,
  integrity: 0.5,
  nonjudgment: 0.5,
  generosity: 0.59,
};

test('the culture in words names what counts most, and only the trust that respondents clearly confirm or deny', () => {
  const { values, trust } = describeCulture({
    basis: 'measured',
    braving,
    cvf: { clan: 0.4, adhocracy: 0.39, market: 0.2, hierarchy: 0.01 },
  });
  expect(values).toEqual([
    'People and working together count most here.',
    'New ideas and trying things out count most here.',
  ]);
  expect(trust).toEqual([
    'People who work here agree that promises are kept.',
    'People who work here do not agree that what is said in confidence stays there.',
  ]);
});

test('a culture in which the four quadrants are nearly equal has no leading value', () => {
  const cvf = { clan: 0.26, adhocracy: 0.25, market: 0.245, hierarchy: 0.245 };
  expect(describeCulture({ basis: 'measured', braving, cvf }).values).toEqual([]);
});

test('a declared culture is in the words of the organisation about itself', () => {
  const cvf = { clan: 0, adhocracy: 1 / 6, market: 1 / 3, hierarchy: 0.5 };
  expect(describeCulture({ basis: 'declared', braving, cvf })).toEqual({
    basis: 'declared',
    values: ['By its own account, order and reliable processes count most here.'],
    trust: [
      'The organisation says about itself that promises are kept.',
      'The organisation does not say about itself that what is said in confidence stays there.',
    ],
  });
});
