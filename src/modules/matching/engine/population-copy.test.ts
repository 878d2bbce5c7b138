import { expect, test } from 'vitest';
import { createNormalPopulation } from '#test/modules/random-population.ts';
import { chunkMembers } from './layout.ts';
import { findPosition, readId } from './member-ids.ts';
import { appendChunk, computeChunkBytes, copyChunk, listChunkSizes } from './population-copy.ts';
import { countMembers, createPopulation, removeMember, upsertMember, type Population } from './population.ts';

const buildId = (number: number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
const { members } = createNormalPopulation(100, 1);

function fillPopulation(population: Population, count: number, from = 0): Population {
  for (let number = from; number < from + count; number += 1)
    upsertMember(population, buildId(number), members[number % members.length]!);
  return population;
}

/** Copies a population into an empty one, which is scanned by another number of threads. */
function copyPopulation(population: Population): Population {
  const copy = createPopulation({ threads: population.threads + 2 });
  for (const [chunk, size] of listChunkSizes(countMembers(population)).entries()) {
    const bytes = copyChunk(population, chunk);
    expect(bytes.length).toBe(computeChunkBytes(size));
    appendChunk(copy, bytes, size);
  }
  return copy;
}

function listChunks(population: Population): readonly Uint8Array[] {
  return listChunkSizes(countMembers(population)).map((_, chunk) => copyChunk(population, chunk));
}

test.each([0, 1, 15, 16, 17, chunkMembers - 1, chunkMembers, chunkMembers + 1, 2 * chunkMembers + 17])(
  'a copy of %i members has the same members, and both change in the same way afterwards',
  (count) => {
    const population = fillPopulation(createPopulation(), count);
    const copy = copyPopulation(population);
    expect(countMembers(copy)).toBe(count);
    expect(Buffer.concat(listChunks(copy)).equals(Buffer.concat(listChunks(population)))).toBe(true);
    for (const each of [population, copy]) {
      for (const number of [0, 3, count - 1]) removeMember(each, buildId(number));
      fillPopulation(each, 40, count);
    }
    expect(Buffer.concat(listChunks(copy)).equals(Buffer.concat(listChunks(population)))).toBe(true);
    for (let position = 0; position < countMembers(copy); position += 97)
      expect(findPosition(copy.ids, readId(population.ids, position))).toBe(position);
  },
);

test('every change of a population changes its revision', () => {
  const population = createPopulation();
  const revisions = [population.revision];
  const record = () => revisions.push(population.revision);
  upsertMember(population, buildId(1), members[0]!);
  record();
  upsertMember(population, buildId(1), members[1]!);
  record();
  removeMember(population, buildId(1));
  record();
  removeMember(population, buildId(1));
  expect(new Set(revisions).size).toBe(4);
  expect(population.revision).toBe(revisions.at(-1));
});
