import { randomInt } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';

/** The number of credentials in a list: the minimum that hides one among the others (Bitstring Status List section 6.1). */
export const list_entries = 131_072;

/** The size of the blocks in which the bits of a list are stored, so that a revocation writes little. */
export const block_bytes = 256;

/** The size of an index in the shuffled order. */
const index_bytes = 3;

/** A list in which nothing is revoked. */
export function createEmptyBits(): Buffer {
  return Buffer.alloc(list_entries / 8);
}

/** Whether the bit of an index is set. The first bit of a byte is the least significant one, as in a Token Status List. */
export function hasBit(bits: Buffer, index: number): boolean {
  return ((bits[index >> 3]! >> (index & 7)) & 1) === 1;
}

/** A copy of the bits in which those of some indexes are set. */
export function setBits(bits: Buffer, indexes: readonly number[]): Buffer {
  const changed = Buffer.from(bits);
  for (const index of indexes) changed[index >> 3]! |= 1 << (index & 7);
  return changed;
}

/** The bits that are set in one of two lists. If those of the first are all of them, the result is the first itself. */
export function joinBits(first: Buffer, second: Buffer): Buffer {
  const joined = Buffer.from(first.map((byte, place) => byte | second[place]!));
  return joined.equals(first) ? first : joined;
}

/** The block of an index, and the place of its bit in that block. */
export function computeBlock(index: number): { readonly block: number; readonly bit: number } {
  return { block: Math.floor(index / (block_bytes * 8)), bit: index % (block_bytes * 8) };
}

/** The `lst` of a Status List Token: DEFLATE in the ZLIB format, base64url (Token Status List section 4.2). */
export function encodeTokenList(bits: Buffer): string {
  return deflateSync(bits, { level: 9 }).toString('base64url');
}

/** The `encodedList` of a Bitstring Status List: GZIP, multibase base64url. There, index 0 is the most significant bit of the first byte. */
export function encodeBitstringList(bits: Buffer): string {
  return `u${gzipSync(
    bits.map((byte) => mirrored[byte]!),
    { level: 9 },
  ).toString('base64url')}`;
}

/** Each byte with its bits in the opposite order. */
const mirrored: readonly number[] = Array.from({ length: 256 }, (_, byte) =>
  Number.parseInt(byte.toString(2).padStart(8, '0').split('').toReversed().join(''), 2),
);

/** All indexes of a list in random order (Fisher–Yates shuffle), three bytes each. */
export function shuffleIndexes(): Buffer {
  const order = Uint32Array.from({ length: list_entries }, (_, index) => index);
  for (let place = list_entries - 1; place > 0; place--) {
    const other = randomInt(place + 1);
    [order[place], order[other]] = [order[other]!, order[place]!];
  }
  const bytes = Buffer.alloc(list_entries * index_bytes);
  order.forEach((index, place) => bytes.writeUIntBE(index, place * index_bytes, index_bytes));
  return bytes;
}

/** The position and length in bytes of a slice of the shuffled order. The start counts from 1, as in PostgreSQL. */
export function computeSlice(
  from: number,
  count: number,
): { readonly start: number; readonly length: number } {
  return { start: from * index_bytes + 1, length: count * index_bytes };
}

/** The indexes in a slice of the shuffled order. */
export function readIndexes(slice: Buffer): readonly number[] {
  return Array.from({ length: slice.length / index_bytes }, (_, place) =>
    slice.readUIntBE(place * index_bytes, index_bytes),
  );
}
