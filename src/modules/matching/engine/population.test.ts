import { describe, expect, it } from 'vitest';
import { formatMemberId } from '#test/modules/random-population.ts';
import { computeReferenceSlots } from '#test/modules/reference-engine.ts';
import { chunkMembers, locateFacts, locateSlot } from './layout.ts';
import { findPosition, readId } from './member-ids.ts';
import {
  computePopulationBytes,
  countMembers,
  createPopulation,
  removeMember,
  upsertMember,
  type Population,
} from './population.ts';

const variance = Array.from({ length: 20 }, () => 0.16);
const [a, b, c] = [formatMemberId(1), formatMemberId(2), formatMemberId(3)];

function createVector(value: number): number[] {
  return Array.from({ length: 20 }, (_, slot) => value + slot / 32);
}

/** The slots that a member with these means should have. */
function quantiseReference(mean: readonly number[]): number[] {
  return [...computeReferenceSlots(mean).map((value) => Math.round(32 * value) + 0), 0, 0, 0, 0];
}

function readSlots({ bytes, threads }: Population, position: number): number[] {
  return Array.from({ length: 24 }, (_, slot) => bytes[locateSlot(threads, position, slot)]!);
}

function readFacts({ words, threads }: Population, position: number): number[] {
  return [0, 1].map((word) => words[locateFacts(threads, position) + word]!);
}

describe('population', () => {
  it('stores the relative means as round(32 * mean) in slot order, and zeros in the four value slots', () => {
    const population = createPopulation();
    const mean = createVector(-0.5);
    upsertMember(population, a, { mean, variance });
    expect(readSlots(population, 0)).toEqual(quantiseReference(mean));
    expect(new Set(readSlots(population, 0)).size).toBeGreaterThan(10);
  });

  it('clamps relative means beyond 3.97', () => {
    const population = createPopulation();
    upsertMember(population, a, { mean: createVector(0).fill(9, 0, 1).fill(-9, 1, 2), variance });
    expect(readSlots(population, 0).slice(0, 2)).toEqual([127, -127]);
  });

  it('replaces the vector of a member who is present', () => {
    const population = createPopulation();
    upsertMember(population, a, { mean: createVector(1), variance });
    upsertMember(population, a, { mean: createVector(2), variance });
    expect(countMembers(population)).toBe(1);
    expect(readSlots(population, 0)).toEqual(quantiseReference(createVector(2)));
  });

  it('preserves every vector when it grows by several chunks, in shared memory, with 32 bytes per member in addition to the ids', () => {
    const population = createPopulation();
    const size = 2 * chunkMembers + 5;
    const vectors = [0, 1, 2].map(createVector);
    const slots = vectors.map(quantiseReference);
    for (let member = 0; member < size; member += 1)
      upsertMember(population, formatMemberId(member), { mean: vectors[member % 3]!, variance });
    expect(countMembers(population)).toBe(size);
    for (let member = 0; member < size; member += 7) {
      const expected = slots[member % 3]!;
      expect(population.bytes[locateSlot(1, member, 0)]).toBe(expected[0]);
      expect(population.bytes[locateSlot(1, member, 19)]).toBe(expected[19]);
    }
    expect(population.bytes.buffer).toBeInstanceOf(SharedArrayBuffer);
    const scratch = locateFacts(1, 0) * 4 - chunkMembers * 24;
    expect(population.bytes.byteLength).toBe(scratch + 3 * chunkMembers * 32);
    // 16 bytes for the id, at most 10 2/3 for the lookup (a table with four bytes per bucket is at least three eighths full), and the record.
    expect(computePopulationBytes(population) - population.bytes.byteLength).toBeLessThan(
      3 * chunkMembers * (27 + 176),
    );
  });

  it('clears the data of a removed member and preserves the others', () => {
    const population = createPopulation();
    for (const [index, id] of [a, b, c].entries())
      upsertMember(population, id, { mean: createVector(index + 1), variance });
    expect(removeMember(population, a)).toBe(true);
    expect([0, 1].map((position) => readId(population.ids, position))).toEqual([c, b]);
    expect(findPosition(population.ids, a)).toBeUndefined();
    expect(readSlots(population, findPosition(population.ids, c)!)).toEqual(
      quantiseReference(createVector(3)),
    );
    expect(readSlots(population, 2)).toEqual(Array.from({ length: 24 }, () => 0));
    expect(readFacts(population, 2)).toEqual([0, 0]);
  });

  it('removes the only member, and returns false for an unknown member', () => {
    const population = createPopulation();
    upsertMember(population, a, { mean: createVector(1), variance });
    expect(removeMember(population, b)).toBe(false);
    expect(removeMember(population, a)).toBe(true);
    expect(removeMember(population, a)).toBe(false);
    expect(countMembers(population)).toBe(0);
    expect(readSlots(population, 0).every((slot) => slot === 0)).toBe(true);
  });

  it.each([
    ['a mean that is not a number', createVector(Number.NaN), variance],
    ['an infinite mean', createVector(Infinity), variance],
    ['a variance that is not a number', createVector(0), variance.with(3, Number.NaN)],
    ['a negative variance', createVector(0), variance.with(3, -0.1)],
    ['too few means', createVector(0).slice(1), variance],
    ['too many variances', createVector(0), [...variance, 0.1]],
  ])('rejects %s and stores nothing', (_, mean, variance) => {
    const population = createPopulation();
    expect(() => upsertMember(population, a, { mean, variance })).toThrow(RangeError);
    expect(countMembers(population)).toBe(0);
  });

  it('rejects an invalid id', () => {
    const population = createPopulation();
    for (const id of ['', 'm1', a.toUpperCase().replace('4', 'A'), `${a}0`])
      expect(() => upsertMember(population, id, { mean: createVector(0), variance })).toThrow(RangeError);
    expect(countMembers(population)).toBe(0);
  });
});
