import { describe, expect, test } from 'vitest';
import { computeInformation } from '../measurement/graded-response.ts';
import { type CategoricalTrait, categoricalTraits, continuousTraits } from '../taxonomy.ts';
import { findItem, requireItem, listGradedItems, itemBank, listScenarios } from './item-bank.ts';
import { agreementScale, listOptionTexts } from './item.ts';

const items = [...itemBank.graded, ...itemBank.scenarios];

describe('the item bank', () => {
  test('has no id and no text twice', () => {
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    expect(new Set(items.map(({ text }) => text.toLowerCase())).size).toBe(items.length);
    const options = itemBank.scenarios.flatMap((scenario) => listOptionTexts(scenario));
    expect(new Set(options).size).toBe(options.length);
  });

  test('has texts without digits, ending as sentences, and short enough to read at a glance', () => {
    for (const text of items.flatMap((item) => [item.text, ...listOptionTexts(item)])) {
      expect(text).not.toMatch(/\d/);
      expect(text.length).toBeLessThanOrEqual(120);
    }
    for (const { text } of itemBank.graded) expect(text).toMatch(/^[A-Z].*\.$/);
  });

  test('has no negation in a statement, so that disagreeing is never a double one', () => {
    for (const { text } of itemBank.graded)
      expect(text).not.toMatch(/\b(not|never|nothing|don’t|no longer)\b/i);
  });

  test('has at least eight statements a trait, a quarter to two fifths of them reversed', () => {
    for (const trait of continuousTraits) {
      const ofTrait = listGradedItems(trait);
      const reversed = ofTrait.filter((item) => item.reversed).length;
      expect(ofTrait.length).toBeGreaterThanOrEqual(8);
      expect(reversed).toBeGreaterThanOrEqual(2);
      expect(reversed / ofTrait.length).toBeGreaterThanOrEqual(0.25);
      expect(reversed / ofTrait.length).toBeLessThanOrEqual(0.42);
    }
  });

  test('has ascending thresholds and discriminations that people show', () => {
    for (const { thresholds, discrimination } of itemBank.graded) {
      expect(thresholds).toEqual(thresholds.toSorted((one, other) => one - other));
      expect(new Set(thresholds).size).toBe(4);
      expect(discrimination).toBeGreaterThanOrEqual(1.2);
      expect(discrimination).toBeLessThanOrEqual(2);
    }
    const mean = itemBank.graded.reduce((sum, item) => sum + item.discrimination, 0) / itemBank.graded.length;
    expect(mean).toBeGreaterThan(1.5);
    expect(mean).toBeLessThan(1.7);
  });

  test('informs from 2.5 standard deviations below to 2.5 above the mean', () => {
    for (const trait of continuousTraits)
      for (const theta of [-2.5, -1.5, 0, 1.5, 2.5]) {
        const total = listGradedItems(trait).reduce((sum, item) => sum + computeInformation(item, theta), 0);
        expect(total).toBeGreaterThan(4);
      }
  });

  test('offers the agreement scale for statements', () => {
    for (const item of itemBank.graded) expect(listOptionTexts(item)).toBe(agreementScale);
  });

  test('has six scenarios a categorical trait, each with every way once', () => {
    for (const [trait, values] of Object.entries(categoricalTraits)) {
      const ofTrait = listScenarios(trait as CategoricalTrait);
      expect(ofTrait).toHaveLength(6);
      for (const { options } of ofTrait)
        expect(options.map(({ value }) => value).toSorted()).toEqual([...values].toSorted());
    }
  });

  test('shows each way at no fewer than four places, so that a place does not give it away', () => {
    for (const [trait, values] of Object.entries(categoricalTraits))
      for (const value of values) {
        const places = listScenarios(trait as CategoricalTrait).map(({ options }) =>
          options.findIndex((option) => option.value === value),
        );
        expect(new Set(places).size).toBeGreaterThanOrEqual(4);
      }
  });

  test('finds items by id and says so when there is none', () => {
    for (const item of items) expect(findItem(item.id)).toBe(item);
    expect(findItem('toString')).toBeUndefined();
    expect(() => requireItem('nowhere_01')).toThrow('no item nowhere_01');
  });
});
