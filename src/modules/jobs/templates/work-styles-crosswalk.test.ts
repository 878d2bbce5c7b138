import { describe, expect, it } from 'vitest';
import { traitCodes } from '#modules/traits';
import { isWorkStyle, workStyles, workStylesCrosswalk, type CrosswalkLink } from './work-styles-crosswalk.ts';

const links: readonly CrosswalkLink[] = workStyles.flatMap((style) => [...workStylesCrosswalk[style]]);

describe('the crosswalk from work styles to traits', () => {
  it('maps every one of the sixteen styles, each trait once and with a reason', () => {
    expect(workStyles).toHaveLength(16);
    for (const style of workStyles) {
      const traits = workStylesCrosswalk[style].map((link) => link.trait);
      expect(traits.length).toBeGreaterThan(0);
      expect(new Set(traits).size).toBe(traits.length);
    }
    expect(links.every((link) => link.reason.endsWith('.') && link.weight > 0 && link.weight <= 1)).toBe(
      true,
    );
  });

  it('covers every trait except the two categorical ones', () => {
    const coveredTraits = new Set(links.map((link) => link.trait));
    expect(traitCodes.filter((code) => !coveredTraits.has(code))).toEqual([
      'decision_mode',
      'conflict_style',
    ]);
  });

  it('covers four traits only partlyCovered', () => {
    const sumWeights = (code: string): number =>
      links.filter((link) => link.trait === code).reduce((sum, link) => sum + link.weight, 0);
    const partlyCovered = traitCodes.filter((code) => sumWeights(code) > 0 && sumWeights(code) < 1);
    expect(partlyCovered).toEqual(['recovery_resilience', 'purpose_orientation', 'sincerity', 'discretion']);
  });

  it('contains no other style, not even the name of an inherited object property', () => {
    expect(['Charm', 'toString', ''].filter(isWorkStyle)).toEqual([]);
  });
});
