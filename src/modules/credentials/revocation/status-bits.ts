import { randomInt } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';

/** How many credentials share a list: the least that hides one among the others (Bitstring Status List section 6.1). */
export const list_entries = 131_072;

/** How many bytes an index takes in the drawn order. */
const index_bytes = 3;

/** A list in which nothing is revoked. */
export function createEmptyBits(): Buffer {
  return Buffer.alloc(list_entries / 8);
}

/** Whether the bit of an index is set. Within a byte the least significant bit comes first, as in a Token Status List. */
export function hasBit(bits: Buffer, index: number): boolean {
  return ((bits[index >> 3]! >> (index & 7)) & 1) === 1;
}

/** The same bits with those of some indexes set. */
export function setBits(bits: Buffer, indexes: readonly number[]): Buffer {
  const changed = Buffer.from(bits);
  for (const index of indexes) changed[index >> 3]! |= 1 << (index & 7);
  return changed;
}

/** The `lst` of a Status List Token: DEFLATE in the ZLIB format, base64url (Token Status List section 4.2). */
export function encodeTokenList(bits: Buffer): string {
  return deflateSync(bits, { level: 9 }).toString('base64url');
}

/** The `encodeBitstringList` of a Bitstring Status List: GZIP, multibase base64url. Index 0 is the most significant bit of the first byte there. */
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

/** All indexes of a list in a random order (Fisher and Yates), three bytes each. `draw` stands in for randomness in tests. */
export function shuffleIndexes(draw: (below: number) => number = randomInt): Buffer {
  const order = Uint32Array.from({ length: list_entries }, (_, index) => index);
  for (let place = list_entries - 1; place > 0; place--) {
    const other = draw(place + 1);
    [order[place], order[other]] = [order[other]!, order[place]!];
  }
  const bytes = Buffer.alloc(list_entries * index_bytes);
  order.forEach((index, place) => bytes.writeUIntBE(index, place * index_bytes, index_bytes));
  return bytes;
}

/** Where a run of places of the drawn order stands in its bytes, counted from 1 as PostgreSQL does, and how long it is. */
export function computeSlice(
  from: number,
  count: number,
): { readonly start: number; readonly length: number } {
  return { start: from * index_bytes + 1, length: count * index_bytes };
}

/** The indexes in a piece of the drawn order. */
export function readIndexes(piece: Buffer): readonly number[] {
  return Array.from({ length: piece.length / index_bytes }, (_, place) =>
    piece.readUIntBE(place * index_bytes, index_bytes),
  );
}
