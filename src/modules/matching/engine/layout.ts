import { pageBytes } from './web-assembly.ts';

/*
 * The memory layout of a population: first a scratch area for each thread, where the scan writes its results, then chunks of members.
 *
 * A chunk contains the slots of all its members, followed by their eight bytes of facts. A scan therefore reads slots only, and growth adds
 * a chunk without moving members. The slots of 16 members form a block of six groups. A group contains four slots of each of the 16 members
 * in 64 bytes, one cache line. A job without weights for a family skips the cache lines of that family.
 */

export const blockMembers = 16;
export const groupSlots = 4;
export const groupBytes = blockMembers * groupSlots;
export const groupCount = 6;
const blockBytes = groupCount * groupBytes;

/** A chunk has 2 MiB, which are whole pages of WebAssembly. */
export const chunkMembers = 65_536;
const factsBytes = 8;
const slotsBytes = (chunkMembers / blockMembers) * blockBytes;
const chunkBytes = slotsBytes + chunkMembers * factsBytes;
export const chunkPages = chunkBytes / pageBytes;

/** The members of a strip, the unit of work. Its slots (384 KiB) fit into a second-level cache while many jobs read them. */
export const stripMembers = 16_384;

/** One page for the weights of the job, then a position and a score (two int32) for each member of a strip. */
const scratchBytes = pageBytes + stripMembers * 8;
export const scratchPages = scratchBytes / pageBytes;

/** As many members as a 32-bit address space can hold in addition to the scratch areas of 64 threads. */
export const largestPopulation = 2_000 * chunkMembers;

/** The address of the job's weights in the scratch area of a thread. */
export function locateJobArea(thread: number): number {
  return thread * scratchBytes;
}

/** The address of the results in the scratch area of a thread. */
export function locateFoundArea(thread: number): number {
  return locateJobArea(thread) + pageBytes;
}

/** The address of the slots of a block. `position` is the first position of the block. */
export function locateBlock(threads: number, position: number): number {
  const lane = position % chunkMembers;
  return locateChunk(threads, position) + (lane / blockMembers) * blockBytes;
}

/** The address of a member's slot. */
export function locateSlot(threads: number, position: number, slot: number): number {
  const lane = position % blockMembers;
  const group = Math.floor(slot / groupSlots) * groupBytes;
  return locateBlock(threads, position - lane) + group + lane * groupSlots + (slot % groupSlots);
}

/** The address of a member's facts, counted in words of 32 bits. */
export function locateFacts(threads: number, position: number): number {
  return (locateChunk(threads, position) + slotsBytes) / 4 + (position % chunkMembers) * 2;
}

function locateChunk(threads: number, position: number): number {
  return threads * scratchBytes + Math.floor(position / chunkMembers) * chunkBytes;
}

/** Where the slots and the facts of the first members of a chunk are, in bytes from the start of the memory. */
export function locateChunkParts(threads: number, position: number, members: number): readonly MemoryPart[] {
  const start = locateChunk(threads, position);
  return [
    { start, bytes: Math.ceil(members / blockMembers) * blockBytes },
    { start: start + slotsBytes, bytes: members * factsBytes },
  ];
}

type MemoryPart = { readonly start: number; readonly bytes: number };
