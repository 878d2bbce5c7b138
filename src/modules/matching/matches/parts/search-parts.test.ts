import { expect, test } from 'vitest';
import { matchJobs, upsertMember } from '#modules/matching/engine';
import { builtInNorms } from '#modules/measurement/traits';
import { createNormalPopulation, createTestPopulation, openTerms } from '#test/modules/random-population.ts';
import type { AskedJob } from './part-question.ts';
import { searchParts } from './search-parts.ts';

const whole = createNormalPopulation(9_000, 41);
const jobs: readonly AskedJob[] = [
  { trait_priorities: { persistence: 1 }, terms: openTerms },
  { trait_priorities: { empathic_attunement: 1, discretion: 0.4 }, terms: openTerms },
];
const withNorms = (asked: readonly AskedJob[]) => asked.map((job) => ({ ...job, norms: builtInNorms }));

/** Divides the members, and searches. @returns the lists, and the parts that were asked with how many jobs and which limit. */
async function searchDivided(parts: number, selectPart: (index: number) => number) {
  const divided = Array.from({ length: parts }, () => createTestPopulation([]));
  for (const [index, each] of whole.members.entries())
    upsertMember(divided[selectPart(index)]!.population, each.member_id, each);
  const asked: (readonly [part: number, jobs: number, limit: number])[] = [];
  const lists = await searchParts(parts, jobs, (part, some, limit) => {
    asked.push([part, some.length, limit]);
    return matchJobs(divided[part]!, withNorms(some), { limit });
  });
  return { lists, asked };
}

test('parts of equal size compute a little more than their share, once', async () => {
  const expected = await matchJobs(whole, withNorms(jobs));
  expect(expected[0]).toHaveLength(1_000);
  const { lists, asked } = await searchDivided(4, (index) => index % 4);
  expect(lists).toEqual(expected);
  expect(asked).toEqual([0, 1, 2, 3].map((part) => [part, 2, 305]));
});

test('one part is asked for whole lists at once', async () => {
  const { lists, asked } = await searchDivided(1, () => 0);
  expect(lists).toEqual(await matchJobs(whole, withNorms(jobs)));
  expect(asked).toEqual([[0, 2, 1_000]]);
});

test('a part with more than its share is asked again, for the jobs that need it', async () => {
  const expected = await matchJobs(whole, withNorms(jobs));
  const [first] = expected;
  const best = new Set(first!.map(({ member_id }) => member_id));
  const { lists, asked } = await searchDivided(2, (index) =>
    best.has(whole.members[index]!.member_id) ? 1 : index % 2,
  );
  expect(lists).toEqual(expected);
  expect(asked.slice(0, 2)).toEqual([
    [0, 2, 564],
    [1, 2, 564],
  ]);
  expect(asked.slice(2)).toEqual([[1, expect.any(Number), 1_000]]);
  const all = await searchDivided(3, () => 2);
  expect(all.lists).toEqual(expected);
});
