import fc from 'fast-check';
import { expect, test } from 'vitest';
import { continuousTraits, traitCodes } from '#modules/measurement/traits';
import { applyPicks, nameSlider, proposePriorities, readPriorities, toPlace } from './priorities.ts';

const priorities = fc
  .dictionary(fc.constantFrom(...traitCodes), fc.double({ min: 0, max: 1, noNaN: true }))
  .map((map) => Object.fromEntries(Object.entries(map).filter(([, value]) => value !== 0)));

test('sliders that were not moved change nothing', () => {
  fc.assert(
    fc.property(priorities, (start) => {
      const fields = continuousTraits.map((code) => [nameSlider(code), String(toPlace(start[code] ?? 0))]);
      expect(readPriorities(Object.fromEntries(fields), start)).toEqual({ ...start });
      expect(readPriorities({}, start)).toEqual({ ...start });
    }),
  );
});

test('a slider that was moved sets its trait only, and zero leaves it out', () => {
  const start = { persistence: 0.87, sincerity: 0.5, decision_mode: 0.3 };
  const fields = { priority_persistence: '0.85', priority_sincerity: '0', priority_accountability: '0.4' };
  expect(readPriorities(fields, start)).toEqual({
    persistence: 0.87,
    decision_mode: 0.3,
    accountability: 0.4,
  });
});

test('what is no number becomes one that the operation refuses', () => {
  expect(readPriorities({ priority_persistence: 'much' }, {})).toEqual({ persistence: -1 });
});

test('an occupation proposes at most five priorities, and none that it leaves out is stronger', () => {
  fc.assert(
    fc.property(priorities, (ratings) => {
      const proposed = proposePriorities(ratings);
      const strengths = Object.values(proposed);
      expect(strengths.length).toBeLessThanOrEqual(5);
      expect(ratings).toMatchObject(proposed);
      const left = continuousTraits.filter((code) => proposed[code] === undefined);
      const strongestLeft = Math.max(...left.map((code) => toPlace(ratings[code] ?? 0)));
      expect(toPlace(Math.min(1, ...strengths))).toBeGreaterThanOrEqual(strongestLeft);
      expect(strengths.length === 5 || strongestLeft === 0).toBe(true);
    }),
  );
});

test('three named traits move their sliders, the first most; one that is named twice counts once, and nothing else moves', () => {
  const fields = { pick_1: 'persistence', pick_2: 'sincerity', pick_3: 'persistence', title: 'Nurse' };
  expect(applyPicks({ ...fields, priority_persistence: '0', priority_discretion: '0.3' })).toEqual({
    pick_1: '',
    pick_2: '',
    pick_3: '',
    title: 'Nurse',
    priority_persistence: '0.9',
    priority_sincerity: '0.75',
    priority_discretion: '0.3',
  });
  expect(applyPicks({ pick_1: 'decision_mode', pick_2: '' })).toEqual({ pick_1: '', pick_2: '' });
});
