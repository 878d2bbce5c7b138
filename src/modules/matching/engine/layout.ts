import { pageBytes } from './web-assembly.ts';

/*
 * How a population lies in memory: first a scratch area for each thread, where the scan leaves what it finds, then chunks of members.
 *
 * A chunk has the slots of all its members and behind them their eight bytes of facts, so that a scan streams slots and nothing else,
 * and growth adds a chunk and moves nobody. The slots of 16 members are a block of six groups; a group has four slots of each of the 16
 * members in 64 bytes, one cache line. A job that weighs no trait of a family skips that family's lines.
 */

export const blockMembers = 16;
export const groupSlots = 4;
export const groupBytes = blockMembers * groupSlots;
export const groupCount = 6;
const blockBytes = groupCount * groupBytes;

/** 2 MiB a chunk, whole pages of WebAssembly. */
export const chunkMembers = 65_536;
const factsBytes = 8;
const slotsBytes = (chunkMembers / blockMembers) * blockBytes;
const chunkBytes = slotsBytes + chunkMembers * factsBytes;
export const chunkPages = chunkBytes / pageBytes;

/** A unit of work: its slots, 384 KiB, stay in a second-level cache while many jobs look at them. */
export const stripMembers = 16_384;

/** A page for what the job asks for, then a position and a score, two int32, of each member of a strip. */
const scratchBytes = pageBytes + stripMembers * 8;
export const scratchPages = scratchBytes / pageBytes;

/** What a 32-bit address reaches beside the scratch areas of 64 threads. */
export const largestPopulation = 2_000 * chunkMembers;

/** Where a thread's scratch area has the job, */
export function locateJobArea(thread: number): number {
  return thread * scratchBytes;
}

/** and where it has what was found. */
export function locateFoundArea(thread: number): number {
  return locateJobArea(thread) + pageBytes;
}

/** Where the slots of the block of a position start; positions that begin a block only. */
export function locateBlock(threads: number, position: number): number {
  const lane = position % chunkMembers;
  return locateChunk(threads, position) + (lane / blockMembers) * blockBytes;
}

/** Where a slot of a member lies. */
export function locateSlot(threads: number, position: number, slot: number): number {
  const lane = position % blockMembers;
  const group = Math.floor(slot / groupSlots) * groupBytes;
  return locateBlock(threads, position - lane) + group + lane * groupSlots + (slot % groupSlots);
}

/** Where a member's facts lie, counted in words of 32 bits. */
export function locateFacts(threads: number, position: number): number {
  return (locateChunk(threads, position) + slotsBytes) / 4 + (position % chunkMembers) * 2;
}

function locateChunk(threads: number, position: number): number {
  return threads * scratchBytes + Math.floor(position / chunkMembers) * chunkBytes;
}
