import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { computeCategoryProbabilities, computeInformation } from '@tessera/psychometrics';
import { computeReadingGrade, countSyllables } from '#test/readability.ts';
import { categoricalTraitCodes, categoricalTraits, continuousTraits } from '../taxonomy.ts';
import { builtInBanks, itemBank, judgedBank } from './item-bank.ts';
import { computePublicId, findItem } from './public-id.ts';
import { agreementScale, isGraded, isSkipped, listOptionTexts } from './item.ts';
import { computeMeanAnswer, traitNorms } from './norms.ts';
import { listGradedItems, listScenarios, requireItem } from '#test/modules/items.ts';

const items = [...itemBank.graded, ...itemBank.scenarios];

/** Words that would make an answer depend on health or disability, on money that a person needs, or on having a certain kind of job. */
const unfairWords =
  /\b(hope|energy|tired|tiring|tense|shy|anxious|worry|sleep|calm down|forget|remember|reminder|focus|attention|voice|hear|pay|salary|money|earn|career|boss|manager|team|colleagues?|office|meetings?|department|presentation|customers?|deadlines?|interview|audience)\b/i;

/** Digests what a version of the texts and of the judged parameters consists of. */
function computeDigest({
  version,
  parameter_version,
  traits,
  graded,
  retired,
  scenarios,
}: typeof itemBank): string {
  // The translations repeat the texts: there is one language.
  const content = JSON.stringify(
    [version, parameter_version, traits, graded, retired, scenarios],
    (key, value: unknown) => (key === 'translations' ? undefined : value),
  );
  return createHash('sha256').update(content).digest('hex');
}

test('the files of the bank have the texts, ids and parameters that stored answers were scored with', () => {
  expect(computeDigest(judgedBank)).toBe('96851450188c8fe2c562ae0208ded483b387f0d3d51c1cfb50a76a7c2ab73c2c');
  expect(computeDigest(builtInBanks.get('mvp20-2.anchored')!)).toBe(
    'f8dd5c373920684f2150b2c281214e1947cabad5995feb6514a4939f7433ad2e',
  );
  const { parameter_version: _, ...content } = itemBank;
  expect({ ...builtInBanks.get('mvp20-2.anchored')! }).toMatchObject({
    version: content.version,
    graded: content.graded,
    retired: content.retired,
    scenarios: content.scenarios,
  });
});

describe('the item bank', () => {
  test('has unique ids and texts', () => {
    expect(itemBank.itemsById.size).toBe(items.length + itemBank.retired!.length);
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

  test('has twelve statements for each trait, half of them reversed, so that agreeing with all of them says nothing', () => {
    for (const trait of continuousTraits) {
      const statements = listGradedItems(trait);
      expect(statements).toHaveLength(12);
      expect(statements.filter((item) => item.reversed)).toHaveLength(6);
    }
  });

  test('can be read after six years of school', () => {
    expect(['a', 'mistakes', 'people', 'someone', 'finished', 'wanted', 'idea'].map(countSyllables)).toEqual([
      1, 2, 2, 2, 2, 2, 2,
    ]);
    expect(
      computeReadingGrade(
        'Comprehensive organisational responsibilities necessitate considerable administrative expertise.',
      ),
    ).toBeGreaterThan(20);
    for (const { text } of itemBank.graded)
      expect([text, computeReadingGrade(text) <= 6]).toEqual([text, true]);
    for (const scenario of itemBank.scenarios)
      for (const text of [scenario.text, ...listOptionTexts(scenario)])
        expect([text, computeReadingGrade(text) <= 6]).toEqual([text, true]);
  });

  test('depends neither on health nor on money, and needs no office, no team and no manager', () => {
    const texts = items.flatMap((item) => [item.text, ...(isGraded(item) ? [] : listOptionTexts(item))]);
    for (const text of texts) expect(text).not.toMatch(unfairWords);
  });

  test('lets everyone skip the statements about groups and buyers, and only these', () => {
    for (const item of itemBank.graded) {
      const assumes = /\b(group|buyer)\b|^Working with others|my own part alone/.test(item.text);
      expect([item.text, item.may_not_apply === true]).toEqual([item.text, assumes]);
      expect(isSkipped(item, 4)).toBe(false);
      expect(isSkipped(item, 5)).toBe(assumes);
    }
  });

  test('retains retired statements for stored answers, but asks none of them', () => {
    expect(itemBank.retired!.length).toBeGreaterThan(50);
    for (const item of itemBank.retired!) {
      expect(requireItem(item.id)).toBe(item);
      expect(listGradedItems(item.trait)).not.toContain(item);
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

  test('is informative from 2.5 standard deviations below the mean to 2 above it', () => {
    for (const trait of continuousTraits)
      for (const theta of [-2.5, -1.5, 0, 1, 2]) {
        const total = listGradedItems(trait).reduce((sum, item) => sum + computeInformation(item, theta), 0);
        expect(total).toBeGreaterThan(2);
      }
  });

  test('expects the mean answer of the norms from the average member', () => {
    for (const trait of continuousTraits) {
      const means = listGradedItems(trait).map((item) => computeMeanAnswer(item));
      expect(Math.abs(average(means) - traitNorms[trait])).toBeLessThan(0.02);
    }
    // The judged parameters expected 3.06, while real people answer 3.5 to 3.9.
    expect(average(judgedBank.graded.map((item) => computeMeanAnswer(item)))).toBeLessThan(3.1);
    expect(average(Object.values(traitNorms))).toBeGreaterThan(3.5);
  });

  test('expects answers whose spread is that of real scales', () => {
    for (const item of itemBank.graded) {
      const [low, high] = [-1, 1].map((theta) =>
        computeCategoryProbabilities(item, theta).reduce((sum, p, category) => sum + p * category, 0),
      );
      const points = (high! - low!) / 2;
      expect(points).toBeGreaterThan(0.4);
      expect(points).toBeLessThan(1);
    }
  });

  test('offers the agreement scale for statements', () => {
    for (const item of itemBank.graded) {
      expect(listOptionTexts(item).slice(0, 5)).toEqual(agreementScale);
      expect(listOptionTexts(item).slice(5)).toEqual(item.may_not_apply ? ['Does not apply to me'] : []);
    }
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

  test('members know each item by an id that differs from all others and does not name its trait', () => {
    for (const item of items) expect(findItem(computePublicId(item.id))).toBe(item);
    expect(computePublicId('analytical_depth_01')).toMatch(/^[0-9a-f]{12}$/);
    expect(findItem('analytical_depth_01')).toBeUndefined();
  });

  test('the unknown id of a stored answer is a defect', () => {
    expect(() => requireItem('nowhere_01')).toThrow('no item nowhere_01');
  });
});

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
