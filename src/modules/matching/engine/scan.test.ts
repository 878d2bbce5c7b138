import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleKernel } from '../../../../scripts/generate-kernel.ts';
import {
  arbitraryTiedVector,
  arbitraryVector,
  arbitraryWeights,
  createNormalPopulation,
  createTestPopulation,
} from '#test/modules/random-population.ts';
import { computeReferenceTop } from '#test/modules/reference-engine.ts';
import { kernelBase64 } from './kernel.generated.ts';
import { locateSlot } from './layout.ts';
import { findPosition, readId } from './member-ids.ts';
import { createPopulation, removeMember, upsertMember } from './population.ts';
import { openScanner, type Scanner } from './scanner.ts';
import { findTopMembers } from '#test/modules/find-top-members.ts';

const k = fc.integer({ min: 0, max: 60 });

/** Finds the top members of one job, with their ids. */
async function findTop({ population, ...scanner }: Scanner, weights: ArrayLike<number>, k: number) {
  const [members] = await findTopMembers({ population, ...scanner }, [weights], k);
  return members!.map(({ position, score }) => ({ member_id: readId(population.ids, position), score }));
}

describe.each([
  ['the kernel', false],
  ['the plain loop', true],
])('the scan by %s', (_, plain) => {
  it('finds the same top k as the reference, for any members, weights and k', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryVector, { maxLength: 40 }),
        arbitraryWeights,
        k,
        async (vectors, weights, k) => {
          const { members, scanner } = createTestPopulation(vectors, { plain });
          expect(await findTop(scanner, weights, k)).toEqual(computeReferenceTop(members, weights, k));
        },
      ),
    );
  });

  it('orders equal scores by position', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryTiedVector, { maxLength: 40 }),
        arbitraryWeights,
        k,
        async (vectors, weights, k) => {
          const { members, scanner } = createTestPopulation(vectors, { plain });
          expect(await findTop(scanner, weights, k)).toEqual(computeReferenceTop(members, weights, k));
        },
      ),
    );
  });

  it('agrees with the reference over several strips and after removals', async () => {
    const { members, population } = createNormalPopulation(20_000, 1);
    const scanner = openScanner(population, { plain });
    const weights = Array.from({ length: 24 }, (_, slot) => (slot * 37) % 128);
    expect(await findTop(scanner, weights, 300)).toEqual(computeReferenceTop(members, weights, 300));
    const removed = new Set(members.filter((_, index) => index % 3 === 0).map((member) => member.member_id));
    for (const id of removed) removeMember(population, id);
    const remaining = members
      .filter(({ member_id }) => !removed.has(member_id))
      .toSorted(
        (a, b) => findPosition(population.ids, a.member_id)! - findPosition(population.ids, b.member_id)!,
      );
    expect(population.ids.size).toBe(members.length - removed.size);
    expect(await findTop(scanner, weights, 300)).toEqual(computeReferenceTop(remaining, weights, 300));
  });

  it('gives all members the score zero, in order of position, if all weights are zero', async () => {
    const { scanner, members } = createNormalPopulation(50, 2);
    const found = await findTop(scanner, new Uint8Array(24), 3);
    expect(found).toEqual(members.slice(0, 3).map(({ member_id }) => ({ member_id, score: 0 })));
  });

  it('computes the extreme scores without overflow', async () => {
    const vector = {
      mean: Array.from({ length: 20 }, () => 0),
      variance: Array.from({ length: 20 }, () => 0),
    };
    const { scanner, population } = createTestPopulation([vector, vector], { plain });
    for (const [position, value] of [127, -127].entries())
      for (let slot = 0; slot < 20; slot += 1)
        population.bytes[locateSlot(population.threads, position, slot)] = value;
    const found = await findTop(scanner, new Uint8Array(24).fill(127), 2);
    expect(found.map(({ score }) => score)).toEqual([20 * 127 * 127, -20 * 127 * 127]);
  });

  it('finds no one in an empty population', async () => {
    const scanner = openScanner(createPopulation(), { plain });
    expect(await findTop(scanner, new Uint8Array(24).fill(1), 10)).toEqual([]);
  });
});

describe('the kernel', () => {
  it('equals the output of its generator', async () => {
    expect(Buffer.from(await assembleKernel()).toString('base64')).toBe(kernelBase64);
  });

  it('gives the same scores as the plain loop, for millions of pairs of members and jobs with random weights', async () => {
    const { population } = createNormalPopulation(40_000, 5);
    const kernel = openScanner(population);
    const loop = openScanner(population, { plain: true });
    const jobs = fc.sample(arbitraryWeights, { numRuns: 60, seed: 11 });
    const thresholds = [-387_097, -20_000, 0, 30_000, 387_096];
    for (const [index, weights] of jobs.entries()) {
      const query = {
        weights: Uint8Array.from(weights),
        threshold: thresholds[index % 5]!,
        filter: undefined,
      };
      expect(await kernel.scan([query])).toEqual(await loop.scan([query]));
    }
  });

  it('sees the growth of the population in its threads, which are started again after they end', async () => {
    const population = createPopulation({ threads: 3 });
    const scanner = openScanner(population);
    const variance = Array.from({ length: 20 }, () => 0.1);
    const flat = Array.from({ length: 20 }, () => 0.5);
    const [one, many] = createNormalPopulation(20, 3).members;
    const formatId = (index: number) => `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
    try {
      for (const size of [110_000, 140_000]) {
        for (let index = population.ids.size; index < size; index += 1)
          upsertMember(population, formatId(index), { mean: flat, variance });
        for (const [index, { mean }] of [one!, many!].entries())
          upsertMember(population, formatId(size - 1 - index), { mean, variance });
        const weights = new Uint8Array(24).fill(1, 0, 20);
        const plain = await findTopMembers(openScanner(population, { plain: true }), [weights], 10);
        // Twice, so that both threads have started.
        for (let time = 0; time < 2; time += 1)
          expect(await findTopMembers(scanner, [weights, weights], 10)).toEqual([...plain, ...plain]);
        const interrupted = findTopMembers(scanner, [weights], 10).catch(String);
        await scanner.close();
        // The scan either finished before or reports that its thread ended.
        expect([plain, 'Error: a scanning thread ended']).toContainEqual(await interrupted);
        expect(await findTopMembers(scanner, [weights], 10)).toEqual(plain);
      }
    } finally {
      await scanner.close();
    }
  });

  it('gives the same results for many jobs in one pass as for each job alone', async () => {
    const { scanner } = createNormalPopulation(3_000, 9);
    const jobs = fc.sample(arbitraryWeights, { numRuns: 30, seed: 3 });
    const together = await findTopMembers(scanner, jobs, 40);
    for (const [index, weights] of jobs.entries())
      expect(together[index]).toEqual((await findTopMembers(scanner, [weights], 40))[0]);
  });

  it('finds the top members even if the sample misses all blocks that contain them', async () => {
    const size = 16 * 2_000;
    const vectors = Array.from({ length: size }, (_, index) => ({
      mean: Array.from({ length: 20 }, () => (index % 16 === 0 && index > size - 500 ? 3 : -1)),
      variance: Array.from({ length: 20 }, () => 0.1),
    }));
    const { members, scanner } = createTestPopulation(vectors);
    const weights = new Uint8Array(24).fill(1, 0, 20);
    for (const k of [5, 31, 32, 2_000])
      expect(await findTop(scanner, weights, k)).toEqual(
        computeReferenceTop(members, Array.from(weights), k),
      );
  });
});

describe('a scan rejects', () => {
  it.each([Number.NaN, -1, 128, 0.5, Infinity])('a weight of %s', async (weight) => {
    const weights = Array.from({ length: 24 }, () => 1).with(5, weight);
    await expect(findTopMembers(openScanner(createPopulation()), [weights], 1)).rejects.toThrow(RangeError);
  });

  it('a wrong number of weights, and a k that is not a whole number', async () => {
    const { scanner } = createNormalPopulation(3, 3);
    const weights = Array.from({ length: 24 }, () => 1);
    await expect(findTopMembers(scanner, [weights.slice(1)], 1)).rejects.toThrow(RangeError);
    for (const k of [Number.NaN, -1, 1.5])
      await expect(findTopMembers(scanner, [weights], k)).rejects.toThrow(RangeError);
  });
});
