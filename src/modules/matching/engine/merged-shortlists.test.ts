import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInNorms, type TraitPriorities } from '#modules/measurement/traits';
import {
  arbitraryMemberTerms,
  arbitraryPriorities,
  arbitraryTiedVector,
  arbitraryVector,
  createNormalPopulation,
  createTestPopulation,
  openTerms,
} from '#test/modules/random-population.ts';
import { computeReferenceMatchIds } from '#test/modules/reference-engine.ts';
import { removeMember, upsertMember } from './population.ts';
import {
  listShortParts,
  matchJobs,
  mergeShortlists,
  shortlistLimits,
  type MemberSource,
} from './shortlist.ts';

const nurse: TraitPriorities = { pressure_response: 0.8, empathic_attunement: 1, accountability: 0.64 };

async function matchJob(members: MemberSource, trait_priorities: TraitPriorities, limit?: number) {
  const job = { trait_priorities, norms: builtInNorms, terms: openTerms };
  const [matches] = await matchJobs(members, [job], limit === undefined ? {} : { limit });
  return matches!;
}

test('the merged lists of any parts, empty ones too, are the list of the whole, with ties and removed members', async () => {
  const member = fc.record({
    vector: fc.oneof(arbitraryVector, arbitraryTiedVector),
    terms: arbitraryMemberTerms,
    part: fc.integer({ min: 0, max: 3 }),
  });
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(member, { maxLength: 60 }),
      arbitraryPriorities,
      fc.integer({ min: 0, max: 20 }),
      async (members, priorities, limit) => {
        const whole = createTestPopulation(members.map(({ vector, terms }) => ({ ...vector, terms })));
        const parts = [0, 1, 2, 3].map(() => createTestPopulation([]));
        for (const [index, each] of whole.members.entries())
          upsertMember(parts[members[index]!.part]!.population, each.member_id, each);
        const removed = whole.members[0]?.member_id;
        for (const { population } of removed ? [whole, ...parts] : []) removeMember(population, removed!);
        const lists = await Promise.all(parts.map((part) => matchJob(part, priorities, limit)));
        const merged = mergeShortlists(lists, limit);
        expect(merged).toEqual(await matchJob(whole, priorities, limit));
        compared += merged.length;
      },
    ),
    { numRuns: 300 },
  );
  expect(compared).toBeGreaterThan(20);
});

test('shorter lists of parts are enough unless the merged list has all of one, which is then computed with the whole limit', async () => {
  const member = fc.record({
    vector: fc.oneof(arbitraryVector, arbitraryTiedVector),
    part: fc.constantFrom(0, 0, 0, 1, 2),
  });
  const counts = { enough: 0, short: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(member, { maxLength: 40 }),
      arbitraryPriorities,
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 10 }),
      async (members, priorities, limit, part_limit) => {
        const whole = createTestPopulation(members.map(({ vector }) => vector));
        const parts = [0, 1, 2].map(() => createTestPopulation([]));
        for (const [index, each] of whole.members.entries())
          upsertMember(parts[members[index]!.part]!.population, each.member_id, each);
        const least = Math.min(limit, part_limit);
        const lists = await Promise.all(parts.map((part) => matchJob(part, priorities, least)));
        const merged = mergeShortlists(lists, limit);
        const short = least < limit ? listShortParts(merged, lists, least) : [];
        for (const part of short) lists[part] = await matchJob(parts[part]!, priorities, limit);
        expect(mergeShortlists(lists, limit)).toEqual(await matchJob(whole, priorities, limit));
        if (merged.length > 0) counts[short.length > 0 ? 'short' : 'enough'] += 1;
      },
    ),
    { numRuns: 300 },
  );
  expect(Math.min(counts.enough, counts.short)).toBeGreaterThan(20);
});

test('the merged lists are the best of all members, at most 1,000, and at most 200 of them developing', async () => {
  const whole = createNormalPopulation(6_000, 31);
  const parts = [0, 1, 2].map(() => createTestPopulation([]));
  for (const [index, each] of whole.members.entries())
    upsertMember(parts[index % 7 === 0 ? 0 : 1]!.population, each.member_id, each);
  const lists = await Promise.all(parts.map((part) => matchJob(part, nurse)));
  const merged = mergeShortlists(lists);
  expect(merged).toEqual(await matchJob(whole, nurse));
  const certain = merged.filter(({ quality }) => quality !== 'developing');
  expect(certain.map(({ member_id }) => member_id)).toEqual(
    computeReferenceMatchIds(whole.members, nurse, certain.length),
  );
  expect(merged.length - certain.length).toBeLessThanOrEqual(shortlistLimits.developing);
  expect(lists.flat().length).toBeGreaterThan(merged.length);
});
