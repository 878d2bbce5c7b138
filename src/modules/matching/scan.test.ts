import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oracleTop } from './oracle.ts';
import { createPopulation, removeMember } from './population.ts';
import {
  arbitraryTiedVector,
  arbitraryVector,
  arbitraryWeights,
  normalPopulation,
  populate,
} from './random-population.ts';
import { kthScore, scoreAll, topMembers } from './scan.ts';

const k = fc.integer({ min: 0, max: 60 });

describe('the scan', () => {
  it('finds exactly the oracle’s top k, whatever the members, the weights and k', () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryVector, { maxLength: 40 }),
        arbitraryWeights,
        k,
        (vectors, weights, k) => {
          const { members, population } = populate(vectors);
          expect(topMembers(population, weights, k)).toEqual(oracleTop(members, weights, k));
        },
      ),
    );
  });

  it('gives ties to the earlier position', () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryTiedVector, { maxLength: 40 }),
        arbitraryWeights,
        k,
        (vectors, weights, k) => {
          const { members, population } = populate(vectors);
          expect(topMembers(population, weights, k)).toEqual(oracleTop(members, weights, k));
        },
      ),
    );
  });

  it('agrees with the oracle over several blocks, and after removals', () => {
    const { members, population } = normalPopulation(2500, 1);
    const weights = Array.from({ length: 24 }, (_, slot) => (slot * 37) % 128);
    expect(topMembers(population, weights, 300)).toEqual(oracleTop(members, weights, 300));
    const gone = new Set(members.filter((_, index) => index % 3 === 0).map((member) => member.member_id));
    for (const id of gone) removeMember(population, id);
    const byId = new Map(members.map((member) => [member.member_id, member]));
    const left = population.ids.map((id) => byId.get(id)!);
    expect(left).toHaveLength(members.length - gone.size);
    expect(topMembers(population, weights, 300)).toEqual(oracleTop(left, weights, 300));
  });

  it('keeps everybody at zero, in order, where all weights are zero', () => {
    const { population } = normalPopulation(50, 2);
    const top = topMembers(
      population,
      Array.from({ length: 24 }, () => 0),
      3,
    );
    expect(top).toEqual(population.ids.slice(0, 3).map((member_id) => ({ member_id, score: 0 })));
  });

  it('holds the extreme scores without overflow', () => {
    const vectors = [9, -9].map((value) => ({
      mean: Array.from({ length: 20 }, () => value),
      variance: Array.from({ length: 20 }, () => 0),
    }));
    const { population } = populate(vectors);
    const scores = topMembers(
      population,
      Array.from({ length: 24 }, () => 127),
      2,
    ).map((member) => member.score);
    expect(scores).toEqual([20 * 127 * 127, -20 * 127 * 127]);
  });

  it('answers nobody for an empty population', () => {
    expect(
      topMembers(
        createPopulation(),
        Array.from({ length: 24 }, () => 1),
        10,
      ),
    ).toEqual([]);
  });

  it('leaves what lies behind the members in the output alone', () => {
    const { population } = normalPopulation(3, 3);
    const out = new Int32Array(5).fill(7);
    scoreAll(
      population,
      Array.from({ length: 24 }, () => 1),
      out,
    );
    expect(Array.from(out.subarray(3))).toEqual([7, 7]);
  });

  it.each([Number.NaN, -1, 128, 0.5, Infinity])('refuses a weight of %s', (weight) => {
    const weights = Array.from({ length: 24 }, () => 1).with(5, weight);
    expect(() => scoreAll(createPopulation(), weights, new Int32Array(0))).toThrow(RangeError);
  });

  it('refuses a wrong number of weights, a short output, and a k that is no whole number', () => {
    const { population } = normalPopulation(3, 3);
    const weights = Array.from({ length: 24 }, () => 1);
    expect(() => scoreAll(population, weights.slice(1), new Int32Array(3))).toThrow(RangeError);
    expect(() => scoreAll(population, weights, new Int32Array(2))).toThrow(RangeError);
    for (const k of [Number.NaN, -1, 1.5])
      expect(() => topMembers(population, weights, k)).toThrow(RangeError);
  });
});

describe('the k-th score', () => {
  it('is the one that sorting finds, with the ties that belong to the first k', () => {
    const score = fc.oneof(fc.integer({ min: -387096, max: 387096 }), fc.integer({ min: -3, max: 70 }));
    fc.assert(
      fc.property(fc.array(score, { minLength: 2, maxLength: 80 }), fc.nat(), (list, seed) => {
        const k = 1 + (seed % (list.length - 1));
        const sorted = list.toSorted((a, b) => b - a);
        const threshold = sorted[k - 1]!;
        const above = list.filter((score) => score > threshold).length;
        expect(kthScore(Int32Array.from(list), k)).toEqual({ threshold, ties: k - above });
      }),
    );
  });
});
