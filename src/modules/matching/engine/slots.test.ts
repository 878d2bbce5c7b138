import { describe, expect, it } from 'vitest';
import { quantiseWeights, toTraitWeights } from './slots.ts';

describe('job weights', () => {
  it('are in slot order, with 127 for the largest and zeros in the value slots', () => {
    const weights = quantiseWeights(toTraitWeights({ pressure_response: 0.25, discretion: 0.5 }));
    expect([...weights]).toEqual([64, ...Array.from({ length: 18 }, () => 0), 127, 0, 0, 0, 0]);
  });

  it('do not depend on the scale of the priorities', () => {
    const large = quantiseWeights(toTraitWeights({ persistence: 1, sincerity: 0.4 }));
    const small = quantiseWeights(toTraitWeights({ persistence: 0.01, sincerity: 0.004 }));
    expect(small).toEqual(large);
  });

  it('are all zero if no priority is above zero', () => {
    expect(quantiseWeights(toTraitWeights({ persistence: 0 })).every((weight) => weight === 0)).toBe(true);
  });

  it.each([Number.NaN, -0.01, 1.01, Infinity])('cannot be computed from a priority of %s', (priority) => {
    expect(() => toTraitWeights({ persistence: priority })).toThrow(RangeError);
  });

  it('cannot be computed from a trait that is not one of the twenty', () => {
    const priorities: object = { charisma: 1 };
    expect(() => toTraitWeights(priorities)).toThrow('"charisma" is not a trait.');
  });
});
