import { blockMembers, chunkMembers, groupBytes, groupCount, locateChunkParts } from './layout.ts';
import { appendWords, readWords } from './member-ids.ts';
import { listRecordBytes, record_bytes } from './member-records.ts';
import { countMembers, ensureSpace, type Population } from './population.ts';

/** Lists the sizes, in members, of the chunks of a population: all but the last one are full. */
export function listChunkSizes(members: number): readonly number[] {
  return Array.from({ length: Math.ceil(members / chunkMembers) }, (_, chunk) =>
    Math.min(chunkMembers, members - chunk * chunkMembers),
  );
}

/** Computes the bytes of a copied chunk: 224 a member, and up to fifteen empty places in its last block. */
export function computeChunkBytes(members: number): number {
  return (
    members * 16 + Math.ceil(members / blockMembers) * groupBytes * groupCount + members * (8 + record_bytes)
  );
}

/** Copies a chunk: the ids of its members, their slots, their facts and their records. */
export function copyChunk(population: Population, chunk: number): Uint8Array {
  const from = chunk * chunkMembers;
  const members = Math.min(chunkMembers, countMembers(population) - from);
  const copy = new Uint8Array(computeChunkBytes(members));
  copy.set(toBytes(readWords(population.ids, from, members)));
  let offset = members * 16;
  for (const { start, bytes } of locateChunkParts(population.threads, from, members)) {
    copy.set(new Uint8Array(population.memory.buffer, start, bytes), offset);
    offset += bytes;
  }
  for (const bytes of listRecordBytes(population.records, from, members)) {
    copy.set(bytes, offset);
    offset += bytes.length;
  }
  return copy;
}

/** Appends a chunk that {@link copyChunk} has copied. All earlier chunks must be full, and its members must not be present. */
export function appendChunk(population: Population, copy: Uint8Array, members: number): void {
  const from = countMembers(population);
  ensureSpace(population);
  let offset = members * 16;
  for (const { start, bytes } of locateChunkParts(population.threads, from, members)) {
    new Uint8Array(population.memory.buffer, start, bytes).set(copy.subarray(offset, offset + bytes));
    offset += bytes;
  }
  for (const bytes of listRecordBytes(population.records, from, members)) {
    bytes.set(copy.subarray(offset, offset + bytes.length));
    offset += bytes.length;
  }
  appendWords(population.ids, new Uint32Array(copy.slice(0, members * 16).buffer));
}

function toBytes({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
