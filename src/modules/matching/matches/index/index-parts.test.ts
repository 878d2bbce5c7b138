import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { matchJobs, mergeShortlists, readId } from '#modules/matching/engine';
import { builtInNorms } from '#modules/measurement/traits';
import { sql } from '#platform/database/database.ts';
import { type IndexShard, isInShard } from '#lib/concurrency/index-shard.ts';
import { startApp } from '#test/harness.ts';
import { fillMeans, fillSlots, insertMembers, remeasureMember, tierMeans } from '#test/modules/matching.ts';
import {
  arbitraryPriorities,
  arbitraryTiedVector,
  formatMemberId,
  openTerms,
} from '#test/modules/random-population.ts';
import { openMatchIndex, type MatchIndex } from './match-index.ts';

const app = await startApp();

function openIndex(part?: IndexShard): MatchIndex {
  const index = openMatchIndex({ database: app.sql, now: app.clock.now }, undefined, part);
  onTestFinished(() => index.close());
  return index;
}

const openParts = (shards: number) =>
  Array.from({ length: shards }, (_, index) => openIndex({ shard: index + 1, shards }));

function listMembers(index: MatchIndex): Promise<readonly string[]> {
  return index.runExclusively(async ({ population: { ids } }) =>
    Array.from({ length: ids.size }, (_, position) => readId(ids, position)),
  );
}

const arbitraryParts = fc.integer({ min: 1, max: 128 });

test('each member belongs to exactly one part, always the same', () => {
  fc.assert(
    fc.property(fc.uuid(), arbitraryParts, (member_id, shards) => {
      const parts = Array.from({ length: shards }, (_, index) => index + 1);
      expect(parts.filter((shard) => isInShard({ shard, shards }, member_id))).toHaveLength(1);
    }),
  );
  const known = ['27de1a6a-71f9-4d9a-8b4a-7f0d57d6a001', 'f0000000-0000-4000-8000-0000ffffffff'];
  const parts = known.map((id) => [1, 2, 3, 4].find((shard) => isInShard({ shard, shards: 4 }, id)));
  expect(parts).toEqual([4, 3]);
});

test('parts are equally large, for random ids and for ids that count up', () => {
  for (const buildId of [() => randomUUID() as string, formatMemberId]) {
    const ids = Array.from({ length: 20_000 }, (_, index) => buildId(index));
    for (const shard of [1, 2, 3, 4, 5]) {
      const share = ids.filter((id) => isInShard({ shard, shards: 5 }, id)).length / ids.length;
      expect(Math.abs(share - 0.2)).toBeLessThan(0.015);
    }
  }
});

test('an erased member, of whom the log has the last bits, belongs to the same part', () => {
  fc.assert(
    fc.property(fc.uuid(), arbitraryParts, (member_id, shards) => {
      const tail = `00000000-0000-0000-0000-0000${member_id.slice(-8)}`;
      for (const shard of [1, Math.ceil(shards / 2), shards])
        expect(isInShard({ shard, shards }, tail)).toBe(isInShard({ shard, shards }, member_id));
    }),
  );
});

test('the parts have what the whole has, and their merged lists are its lists, whatever changes', async () => {
  const vectors = [
    ...fc.sample(arbitraryTiedVector, { numRuns: 60, seed: 3 }),
    ...Array.from({ length: 20 }, () => ({ mean: fillMeans(tierMeans.strong), variance: fillSlots(0.15) })),
  ];
  const ids = [...(await insertMembers(app, vectors))];
  const whole = openIndex();
  const splits = [1, 2, 3, 7, 128].map((shards) => ({ shards, parts: openParts(shards) }));
  const jobs = fc.sample(arbitraryPriorities, { numRuns: 8, seed: 4 }).map((trait_priorities) => ({
    trait_priorities,
    norms: builtInNorms,
    terms: openTerms,
  }));
  const compareAll = async () => {
    await whole.refresh();
    const [members, lists] = [await listMembers(whole), await matchJobs(whole, jobs)];
    for (const { shards, parts } of splits) {
      await Promise.all(parts.map((part) => part.refresh()));
      const listed = await Promise.all(parts.map(listMembers));
      expect(listed.flat().toSorted()).toEqual(members.toSorted());
      for (const [index, own] of listed.entries())
        expect(own.every((id) => isInShard({ shard: index + 1, shards }, id))).toBe(true);
      const found = await Promise.all(parts.map((part) => matchJobs(part, jobs)));
      expect(jobs.map((_, job) => mergeShortlists(found.map((each) => each[job]!)))).toEqual(lists);
    }
    return { members, lists };
  };
  const before = await compareAll();
  expect(before.members).toHaveLength(ids.length);
  expect(before.lists.every(({ length }) => length > 0)).toBe(true);
  await remeasureMember(app, ids[0]!, tierMeans.exceptional);
  await remeasureMember(app, ids[70]!, tierMeans.none);
  await app.sql.run(
    sql`update members set account_status = 'suspended' where id = any(${ids.slice(1, 4)}::uuid[])`,
  );
  await insertMembers(app, vectors.slice(0, 5));
  const after = await compareAll();
  expect(after.members).toHaveLength(ids.length - 3 + 5);
  expect(after.lists).not.toEqual(before.lists);
});
