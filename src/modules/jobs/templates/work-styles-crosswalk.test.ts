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

  it('reaches every trait but the two categorical ones', () => {
    const reached = new Set(links.map((link) => link.trait));
    expect(traitCodes.filter((code) => !reached.has(code))).toEqual(['decision_mode', 'conflict_style']);
  });

  it('reaches four traits in part only', () => {
    const reach = (code: string): number =>
      links.filter((link) => link.trait === code).reduce((sum, link) => sum + link.weight, 0);
    const partly = traitCodes.filter((code) => reach(code) > 0 && reach(code) < 1);
    expect(partly).toEqual(['recovery_resilience', 'purpose_orientation', 'sincerity', 'discretion']);
  });

  it('knows no other style, also none that objects are born with', () => {
    expect(['Charm', 'toString', ''].filter(isWorkStyle)).toEqual([]);
  });
});
