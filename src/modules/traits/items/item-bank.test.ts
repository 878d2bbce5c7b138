import { describe, expect, test } from 'vitest';
import { computeInformation } from '../measurement/graded-response.ts';
import { categoricalTraitCodes, categoricalTraits, continuousTraits } from '../taxonomy.ts';
import { findItem, itemBank, listGradedItems, listScenarios, requireItem } from './item-bank.ts';
import { agreementScale, listOptionTexts } from './item.ts';

const items = [...itemBank.graded, ...itemBank.scenarios];

describe('the item bank', () => {
  test('has unique ids and texts', () => {
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    expect(new Set(items.map(({ text }) => text.toLowerCase())).size).toBe(items.length);
    const options = itemBank.scenarios.flatMap((scenario) => listOptionTexts(scenario));
    expect(new Set(options).size).toBe(options.length);
  });

  test('has short texts without digits, and statements that are sentences', () => {
    for (const text of items.flatMap((item) => [item.text, ...listOptionTexts(item)])) {
      expect(text).not.toMatch(/\d/);
      expect(text.length).toBeLessThanOrEqual(120);
    }
    for (const { text } of itemBank.graded) expect(text).toMatch(/^[A-Z].*\.$/);
  });

  test('has no negated statement, so that disagreement is never a double negation', () => {
    for (const { text } of itemBank.graded)
      expect(text).not.toMatch(/\b(not|never|nothing|don’t|no longer)\b/i);
  });

  test('has at least eight statements for each trait, a quarter to two fifths of them reversed', () => {
    for (const trait of continuousTraits) {
      const statements = listGradedItems(trait);
      const reversed = statements.filter((item) => item.reversed).length;
      expect(statements.length).toBeGreaterThanOrEqual(8);
      expect(reversed).toBeGreaterThanOrEqual(2);
      expect(reversed / statements.length).toBeGreaterThanOrEqual(0.25);
      expect(reversed / statements.length).toBeLessThanOrEqual(0.42);
    }
  });

  test('has ascending thresholds and realistic discriminations', () => {
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

  test('is informative from 2.5 standard deviations below the mean to 2.5 above it', () => {
    for (const trait of continuousTraits)
      for (const theta of [-2.5, -1.5, 0, 1.5, 2.5]) {
        const total = listGradedItems(trait).reduce((sum, item) => sum + computeInformation(item, theta), 0);
        expect(total).toBeGreaterThan(4);
      }
  });

  test('offers the agreement scale for statements', () => {
    for (const item of itemBank.graded) expect(listOptionTexts(item)).toBe(agreementScale);
  });

  test('has six scenarios for each categorical trait, with one option for each way of acting', () => {
    for (const trait of categoricalTraitCodes) {
      const scenarios = listScenarios(trait);
      expect(scenarios).toHaveLength(6);
      for (const { options } of scenarios)
        expect(options.map(({ value }) => value).toSorted()).toEqual(categoricalTraits[trait].toSorted());
    }
  });

  test('shows each way of acting at four or more positions, so that a position does not reveal it', () => {
    for (const trait of categoricalTraitCodes)
      for (const value of categoricalTraits[trait]) {
        const positions = listScenarios(trait).map(({ options }) =>
          options.findIndex((option) => option.value === value),
        );
        expect(new Set(positions).size).toBeGreaterThanOrEqual(4);
      }
  });

  test('finds items by id, and throws for the unknown id of a stored answer', () => {
    for (const item of items) expect(findItem(item.id)).toBe(item);
    expect(findItem('toString')).toBeUndefined();
    expect(() => requireItem('nowhere_01')).toThrow('no item nowhere_01');
  });
});
