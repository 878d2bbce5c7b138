import { describe, expect, it } from 'vitest';
import {
  blockMembers,
  createPopulation,
  populationSize,
  removeMember,
  slotIndex,
  upsertMember,
  type Population,
} from './population.ts';

const variance = Array.from({ length: 20 }, () => 0.16);

function vector(value: number): number[] {
  return Array.from({ length: 20 }, (_, slot) => value + slot / 32);
}

function slotsOf(population: Population, position: number): number[] {
  return Array.from({ length: 24 }, (_, slot) => population.slots[slotIndex(position, slot)]!);
}

describe('population', () => {
  it('keeps the means as round(32 * mean) in slot order, and the four value slots at zero', () => {
    const population = createPopulation();
    upsertMember(population, 'a', vector(-0.5), variance);
    expect(slotsOf(population, 0)).toEqual([
      ...Array.from({ length: 20 }, (_, slot) => slot - 16),
      0,
      0,
      0,
      0,
    ]);
  });

  it('keeps means beyond 3.97 at the bound, in the integers and in the floats', () => {
    const population = createPopulation();
    upsertMember(population, 'a', vector(0).fill(9, 0, 1).fill(-9, 1, 2), variance);
    expect(slotsOf(population, 0).slice(0, 2)).toEqual([127, -127]);
    expect(Array.from(population.means.subarray(0, 2))).toEqual([127 / 32, -127 / 32]);
  });

  it('replaces the vector of a member that it has', () => {
    const population = createPopulation();
    upsertMember(population, 'a', vector(1), variance);
    upsertMember(population, 'a', vector(2), variance);
    expect(populationSize(population)).toBe(1);
    expect(slotsOf(population, 0)[0]).toBe(64);
  });

  it('keeps every vector when it grows past several blocks', () => {
    const population = createPopulation();
    const size = 3 * blockMembers + 5;
    for (let member = 0; member < size; member += 1)
      upsertMember(population, `m${member}`, vector(member % 3), variance);
    expect(populationSize(population)).toBe(size);
    for (let member = 0; member < size; member += 1) {
      expect(population.slots[slotIndex(member, 0)]).toBe(32 * (member % 3));
      expect(population.means[member * 20]).toBe(member % 3);
    }
  });

  it('lies on shared memory, so that worker threads read it without a copy', () => {
    const { slots, means, variances } = createPopulation();
    for (const column of [slots, means, variances]) expect(column.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  it('leaves no trace of a removed member, and keeps the others', () => {
    const population = createPopulation();
    for (const [index, id] of ['a', 'b', 'c'].entries())
      upsertMember(population, id, vector(index + 1), variance);
    expect(removeMember(population, 'a')).toBe(true);
    expect(population.ids).toEqual(['c', 'b']);
    expect(slotsOf(population, population.positions.get('c')!)[0]).toBe(96);
    expect(slotsOf(population, 2)).toEqual(Array.from({ length: 24 }, () => 0));
    for (const rows of [population.means, population.variances]) {
      expect(rows.subarray(40, 60).every((number) => number === 0)).toBe(true);
    }
  });

  it('removes the only member, and answers false for a stranger', () => {
    const population = createPopulation();
    upsertMember(population, 'a', vector(1), variance);
    expect(removeMember(population, 'b')).toBe(false);
    expect(removeMember(population, 'a')).toBe(true);
    expect(removeMember(population, 'a')).toBe(false);
    expect(populationSize(population)).toBe(0);
    expect(slotsOf(population, 0).every((slot) => slot === 0)).toBe(true);
  });

  it.each([
    ['a mean that is not a number', vector(Number.NaN), variance],
    ['an infinite mean', vector(Infinity), variance],
    ['a variance that is not a number', vector(0), variance.with(3, Number.NaN)],
    ['a negative variance', vector(0), variance.with(3, -0.1)],
    ['too few means', vector(0).slice(1), variance],
    ['too many variances', vector(0), [...variance, 0.1]],
  ])('refuses %s and stores nothing', (_, mean, variance) => {
    const population = createPopulation();
    expect(() => upsertMember(population, 'a', mean, variance)).toThrow(RangeError);
    expect(populationSize(population)).toBe(0);
  });
});
