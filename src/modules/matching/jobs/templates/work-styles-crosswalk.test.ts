import { describe, expect, it } from 'vitest';
import { traitCodes } from '#modules/measurement/traits';
import { isWorkStyleScale, workStyleLayouts } from './work-styles-crosswalk.ts';

describe.each([
  ['IM', 16, ['recovery_resilience', 'purpose_orientation', 'sincerity', 'discretion']],
  ['WI', 21, ['purpose_orientation', 'discretion']],
] as const)('the crosswalk from the work styles of the scale %s', (scale, size, partly) => {
  const { crosswalk } = workStyleLayouts[scale];
  const links = [...crosswalk.values()].flat();

  it('maps every style, each trait once and with a reason', () => {
    expect(crosswalk.size).toBe(size);
    for (const of of crosswalk.values()) {
      const traits = of.map((link) => link.trait);
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

  it('covers only the named traits partly', () => {
    const sumWeights = (code: string): number =>
      links.filter((link) => link.trait === code).reduce((sum, link) => sum + link.weight, 0);
    const covered = traitCodes.filter((code) => sumWeights(code) > 0 && sumWeights(code) < 0.999);
    expect(covered).toEqual(partly);
  });

  it('contains no other style, not even the name of an inherited object property', () => {
    expect(['Charm', 'toString', ''].filter((name) => crosswalk.has(name))).toEqual([]);
  });
});

describe('the scales', () => {
  it('are importance and impact, and no inherited object property', () => {
    expect(['IM', 'WI', 'DR', 'LV', 'toString'].filter(isWorkStyleScale)).toEqual(['IM', 'WI']);
  });
});
