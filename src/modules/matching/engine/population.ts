import { packFacts, readLeastSd } from './facts.ts';
import { computeRelativeMeans } from './fit.ts';
import {
  chunkMembers,
  chunkPages,
  largestPopulation,
  locateFacts,
  locateSlot,
  scratchPages,
} from './layout.ts';
import { appendId, createMemberIds, findPosition, readId, removeId, type MemberIds } from './member-ids.ts';
import {
  clearRecord,
  computeRecordBytes,
  createMemberRecords,
  moveRecord,
  readRecord,
  writeRecord,
  type MemberRecord,
  type MemberRecords,
} from './member-records.ts';
import { quantiseMean, slotCount, traitSlotCount } from './slots.ts';
import { defaultPreferences, type MemberTerms } from './terms.ts';
import { largestMemoryPages, WebAssembly, type SharedMemory } from './web-assembly.ts';

/**
 * All members that are matched, in memory, at the positions 0 to size - 1, which a removal changes. A member has 24 slots of int8, which
 * hold the relative means of the traits (`fit.ts`), eight bytes of facts, an id, and the full record, which is read only for the few members who may be
 * matches.
 *
 * The memory is shared, so that worker threads scan it without copying, and belongs to WebAssembly, so that its vector instructions can
 * read it. It grows in place, by two mebibytes at a time. `engine/layout.ts` describes the layout.
 */
export type Population = {
  readonly ids: MemberIds;
  readonly records: MemberRecords;
  readonly memory: SharedMemory;
  /** How many threads have a scratch area before the members. */
  readonly threads: number;
  bytes: Int8Array<SharedArrayBuffer>;
  words: Uint32Array<SharedArrayBuffer>;
  /** No trait of any member has a smaller standard deviation. */
  leastSd: number;
  /** Counts the changes. */
  revision: number;
};

/** The terms of a member who has set nothing. */
export const defaultMemberTerms: MemberTerms = {
  ...defaultPreferences,
  location_country: null,
  location_state: null,
  years_experience: null,
  education_level: null,
};

/** Creates an empty population with space for one chunk. `threads` is the number of threads that may scan at the same time. */
export function createPopulation({ threads = 1 }: { readonly threads?: number } = {}): Population {
  const memory = new WebAssembly.Memory({
    initial: threads * scratchPages + chunkPages,
    maximum: largestMemoryPages,
    shared: true,
  });
  return {
    ids: createMemberIds(),
    records: createMemberRecords(),
    memory,
    threads,
    ...createViews(memory),
    leastSd: Infinity,
    revision: 0,
  };
}

/** Counts the members. */
export function countMembers(population: Population): number {
  return population.ids.size;
}

/**
 * Adds a member or replaces the data of one. `mean` and `variance` belong to the posterior of each trait, in slot order, in standard
 * deviations and their square. Relative means beyond ±3.97 are clamped.
 *
 * @throws RangeError, and changes nothing, for an id that is not a UUID, a wrong length, a number that is not finite, a negative variance,
 * and a full population.
 */
export function upsertMember(
  population: Population,
  memberId: string,
  { mean, variance, provisional, terms = defaultMemberTerms }: KnownMember,
): void {
  checkVector('mean', mean, -Infinity);
  checkVector('variance', variance, 0);
  const position = findPosition(population.ids, memberId) ?? appendMember(population, memberId);
  const { bytes, words, threads } = population;
  const relative = computeRelativeMeans(mean);
  for (let trait = 0; trait < traitSlotCount; trait += 1)
    bytes[locateSlot(threads, position, trait)] = quantiseMean(relative[trait]!);
  const [first, second] = packFacts(terms, computeLeastVariance(variance));
  words[locateFacts(threads, position)] = first;
  words[locateFacts(threads, position) + 1] = second;
  writeRecord(population.records, position, { mean, variance, provisional, terms });
  population.leastSd = Math.min(population.leastSd, readLeastSd(first));
  population.revision += 1;
}

/** Reads the full record of the member at a position. Its numbers are views, which a change of the population changes. */
export function readMember(
  { ids, records }: Population,
  position: number,
): MemberRecord & { readonly member_id: string } {
  return { member_id: readId(ids, position), ...readRecord(records, position) };
}

/** The data of a member that a population needs. */
export type KnownMember = {
  readonly mean: ArrayLike<number>;
  readonly variance: ArrayLike<number>;
  /** Whether the parameters behind the posterior are not yet calibrated. */
  readonly provisional?: boolean;
  readonly terms?: MemberTerms;
};

/** Removes a member and clears the stored data. The last member moves to the free position. @returns whether the member was present. */
export function removeMember(population: Population, memberId: string): boolean {
  const position = findPosition(population.ids, memberId);
  if (position === undefined) return false;
  const last = countMembers(population) - 1;
  moveMember(population, last, position);
  clearMember(population, last);
  removeId(population.ids, position);
  population.revision += 1;
  return true;
}

/** Computes the memory of a population in bytes, including the ids and the records. */
export function computePopulationBytes({ ids, records, bytes }: Population): number {
  const pieces = ids.pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  return bytes.byteLength + pieces + ids.buckets.byteLength + computeRecordBytes(records);
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
      throw new RangeError(`The ${name} of slot ${trait} must not be ${value}.`);
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
    throw new RangeError(`A population can have at most ${largestPopulation} members.`);
  ensureSpace(population);
  return appendId(population.ids, memberId);
}

/** Adds a chunk if the existing ones are full. The first chunk exists from the start. */
export function ensureSpace(population: Population): void {
  const position = countMembers(population);
  if (position > 0 && position % chunkMembers === 0 && isFull(population)) growPopulation(population);
}

function isFull({ bytes, threads, ids }: Population): boolean {
  return locateFacts(threads, ids.size) * 4 >= bytes.byteLength;
}

function growPopulation(population: Population): void {
  population.memory.grow(chunkPages);
  Object.assign(population, createViews(population.memory));
}

function moveMember({ bytes, words, records, threads }: Population, from: number, to: number): void {
  for (let slot = 0; slot < slotCount; slot += 1)
    bytes[locateSlot(threads, to, slot)] = bytes[locateSlot(threads, from, slot)]!;
  for (const word of [0, 1])
    words[locateFacts(threads, to) + word] = words[locateFacts(threads, from) + word]!;
  moveRecord(records, from, to);
}

function clearMember({ bytes, words, records, threads }: Population, position: number): void {
  for (let slot = 0; slot < slotCount; slot += 1) bytes[locateSlot(threads, position, slot)] = 0;
  for (const word of [0, 1]) words[locateFacts(threads, position) + word] = 0;
  clearRecord(records, position);
}
