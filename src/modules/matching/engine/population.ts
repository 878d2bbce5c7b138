import { readLeastSd, packFacts } from './facts.ts';
import {
  chunkMembers,
  chunkPages,
  locateFacts,
  largestPopulation,
  scratchPages,
  locateSlot,
} from './layout.ts';
import { appendId, createMemberIds, findPosition, removeId, type MemberIds } from './member-ids.ts';
import { largestMemoryPages, WebAssembly, type SharedMemory } from './web-assembly.ts';
import { defaultPreferences, type MemberTerms } from './terms.ts';
import { quantiseMean, slotCount, traitSlotCount } from './slots.ts';

/**
 * All measured members, in memory, in the order of their positions 0 to size - 1, which removal changes: 24 slots of int8 and eight bytes
 * of facts a member, and the ids. The posterior in full stays in the database, which the few are asked of that could be matches.
 *
 * The memory is shared, so that worker threads scan without a copy, and WebAssembly's, so that its vector instructions reach it. It grows
 * in place, two mebibytes at a time. `engine/layout.ts` says where what lies.
 */
export type Population = {
  readonly ids: MemberIds;
  readonly memory: SharedMemory;
  /** How many threads have a scratch area before the members. */
  readonly threads: number;
  bytes: Int8Array<SharedArrayBuffer>;
  words: Uint32Array<SharedArrayBuffer>;
  /** No trait of anybody is known better than this, in standard deviations. */
  leastSd: number;
};

/** What somebody wants who has said nothing. */
export const defaultMemberTerms: MemberTerms = {
  ...defaultPreferences,
  location_country: null,
  location_state: null,
  years_experience: null,
  education_level: null,
};

/** No members, room for one chunk; `threads` is how many may scan at the same time. */
export function createPopulation({ threads = 1 }: { readonly threads?: number } = {}): Population {
  const memory = new WebAssembly.Memory({
    initial: threads * scratchPages + chunkPages,
    maximum: largestMemoryPages,
    shared: true,
  });
  return { ids: createMemberIds(), memory, threads, ...createViews(memory), leastSd: Infinity };
}

/** How many members there are. */
export function countMembers(population: Population): number {
  return population.ids.size;
}

/**
 * Adds a member or replaces what is known. `mean` and `variance` are those of the posterior of each trait, in slot order, in standard
 * deviations and their square; means beyond ±3.97 are kept at the bound. Throws a RangeError, and changes nothing, on an id that is no
 * UUID, a wrong length, a number that is not finite, a negative variance, and a full population.
 */
export function upsertMember(
  population: Population,
  memberId: string,
  { mean, variance, terms = defaultMemberTerms }: KnownMember,
): void {
  checkVector('mean', mean, -Infinity);
  checkVector('variance', variance, 0);
  const position = findPosition(population.ids, memberId) ?? appendMember(population, memberId);
  const { bytes, words, threads } = population;
  for (let trait = 0; trait < traitSlotCount; trait += 1)
    bytes[locateSlot(threads, position, trait)] = quantiseMean(mean[trait]!);
  const [first, second] = packFacts(terms, computeLeastVariance(variance));
  words[locateFacts(threads, position)] = first;
  words[locateFacts(threads, position) + 1] = second;
  population.leastSd = Math.min(population.leastSd, readLeastSd(first));
}

/** What a population is told of a member. */
export type KnownMember = {
  readonly mean: ArrayLike<number>;
  readonly variance: ArrayLike<number>;
  readonly terms?: MemberTerms;
};

/** Takes a member out and blanks what was stored of it; the last member moves into the gap. Answers whether there was one. */
export function removeMember(population: Population, memberId: string): boolean {
  const position = findPosition(population.ids, memberId);
  if (position === undefined) return false;
  const last = countMembers(population) - 1;
  moveMember(population, last, position);
  blankMember(population, last);
  removeId(population.ids, position);
  return true;
}

/** How many bytes a population takes, ids and all. */
export function computePopulationBytes({ ids, bytes }: Population): number {
  const pieces = ids.pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  return bytes.byteLength + pieces + ids.buckets.byteLength;
}

function createViews({ buffer }: SharedMemory): Pick<Population, 'bytes' | 'words'> {
  return { bytes: new Int8Array(buffer), words: new Uint32Array(buffer) };
}

function checkVector(name: string, values: ArrayLike<number>, minimum: number): void {
  if (values.length !== traitSlotCount)
    throw new RangeError(`The ${name} has ${values.length} numbers, not ${traitSlotCount}.`);
  for (let trait = 0; trait < traitSlotCount; trait += 1) {
    const value = values[trait]!;
    if (!Number.isFinite(value) || value < minimum)
      throw new RangeError(`The ${name} of slot ${trait} is ${value}.`);
  }
}

function computeLeastVariance(variance: ArrayLike<number>): number {
  let least = Infinity;
  for (let trait = 0; trait < traitSlotCount; trait += 1) least = Math.min(least, variance[trait]!);
  return least;
}

function appendMember(population: Population, memberId: string): number {
  const position = countMembers(population);
  if (position === largestPopulation)
    throw new RangeError(`A population holds ${largestPopulation} members.`);
  // The first chunk is there from the start.
  if (position > 0 && position % chunkMembers === 0 && isFull(population)) growPopulation(population);
  return appendId(population.ids, memberId);
}

function isFull({ bytes, threads, ids }: Population): boolean {
  return locateFacts(threads, ids.size) * 4 >= bytes.byteLength;
}

function growPopulation(population: Population): void {
  population.memory.grow(chunkPages);
  Object.assign(population, createViews(population.memory));
}

function moveMember({ bytes, words, threads }: Population, from: number, to: number): void {
  for (let slot = 0; slot < slotCount; slot += 1)
    bytes[locateSlot(threads, to, slot)] = bytes[locateSlot(threads, from, slot)]!;
  for (const word of [0, 1])
    words[locateFacts(threads, to) + word] = words[locateFacts(threads, from) + word]!;
}

function blankMember({ bytes, words, threads }: Population, position: number): void {
  for (let slot = 0; slot < slotCount; slot += 1) bytes[locateSlot(threads, position, slot)] = 0;
  for (const word of [0, 1]) words[locateFacts(threads, position) + word] = 0;
}
