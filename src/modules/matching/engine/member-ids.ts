import { formatUuid } from '#lib/text/format-uuid.ts';

/**
 * The ids of a population, found by position and by id: 16 bytes per member for the id and four to eight for the lookup, while strings in
 * a `Map` would need about 150.
 */
export type MemberIds = {
  size: number;
  /** Four words of 32 bits per member, in pieces, so that growth copies nothing. */
  readonly pieces: Uint32Array[];
  /** Open addressing with linear probing by the last word of the id, which is random. A bucket contains a position plus one, or zero if empty. */
  buckets: Int32Array;
};

const pieceMembers = 65_536;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function createMemberIds(): MemberIds {
  return { size: 0, pieces: [], buckets: new Int32Array(1024) };
}

/** Finds the position of an id; undefined if the id is not present. */
export function findPosition(ids: MemberIds, id: string): number | undefined {
  const words = parseId(id);
  const bucket = words ? findBucket(ids, words) : -1;
  return bucket === -1 ? undefined : ids.buckets[bucket]! - 1;
}

/** Lists the positions of the ids that end with these 32 bits: usually one, unless two members share them by chance. */
export function listPositionsByTail(ids: MemberIds, tail: number): readonly number[] {
  const positions: number[] = [];
  for (let bucket = hashTail(ids, tail); ids.buckets[bucket] !== 0; bucket = computeNextBucket(ids, bucket)) {
    const position = ids.buckets[bucket]! - 1;
    if (readWord(ids, position, 3) === tail >>> 0) positions.push(position);
  }
  return positions;
}

/** Appends an id that is not present yet. @throws RangeError if it is not a lower-case UUID. */
export function appendId(ids: MemberIds, id: string): number {
  const words = parseId(id);
  if (!words) throw new RangeError(`"${id}" is not a lower-case UUID.`);
  const position = ids.size;
  if (position === ids.pieces.length * pieceMembers) ids.pieces.push(new Uint32Array(4 * pieceMembers));
  selectPiece(ids, position).set(words, 4 * (position % pieceMembers));
  ids.size += 1;
  // The table is at most three quarters full, because longer probe sequences would be slow.
  if (4 * ids.size > 3 * ids.buckets.length) rehashIds(ids);
  else insertPosition(ids, position);
  return position;
}

/** Lists the words of the ids at the positions from `from` on, of at most one piece: four for each id. */
export function readWords(ids: MemberIds, from: number, members: number): Uint32Array {
  return selectPiece(ids, from).subarray(0, 4 * members);
}

/** Appends a piece of ids that are not present yet, as {@link readWords} returns it. All earlier pieces must be full. */
export function appendWords(ids: MemberIds, words: Uint32Array): void {
  const from = ids.size;
  const piece = new Uint32Array(4 * pieceMembers);
  piece.set(words);
  ids.pieces.push(piece);
  ids.size += words.length / 4;
  if (4 * ids.size > 3 * ids.buckets.length) rehashIds(ids);
  else for (let position = from; position < ids.size; position += 1) insertPosition(ids, position);
}

/** Reads the id at a position. */
export function readId(ids: MemberIds, position: number): string {
  // A pass over many jobs reads a hundred thousand ids, and a text of each word takes five times as long.
  const idBytes = Buffer.allocUnsafe(16);
  for (let word = 0; word < 4; word += 1) idBytes.writeUInt32BE(readWord(ids, position, word), 4 * word);
  return formatUuid(idBytes.toString('hex'));
}

/** Removes the id at a position. The last id moves to that position. */
export function removeId(ids: MemberIds, position: number): void {
  const last = ids.size - 1;
  unlinkPosition(ids, position);
  if (position !== last) {
    unlinkPosition(ids, last);
    const words = selectPiece(ids, last).slice(4 * (last % pieceMembers), 4 * (last % pieceMembers) + 4);
    selectPiece(ids, position).set(words, 4 * (position % pieceMembers));
    insertPosition(ids, position);
  }
  selectPiece(ids, last).fill(0, 4 * (last % pieceMembers), 4 * (last % pieceMembers) + 4);
  ids.size = last;
}

type Words = readonly [number, number, number, number];

function parseId(id: string): Words | undefined {
  if (!uuid.test(id)) return undefined;
  const parseWord = (text: string) => Number.parseInt(text, 16);
  return [
    parseWord(id.slice(0, 8)),
    parseWord(id.slice(9, 13) + id.slice(14, 18)),
    parseWord(id.slice(19, 23) + id.slice(24, 28)),
    parseWord(id.slice(28)),
  ];
}

function selectPiece(ids: MemberIds, position: number): Uint32Array {
  return ids.pieces[Math.floor(position / pieceMembers)]!;
}

function readWord(ids: MemberIds, position: number, word: number): number {
  return selectPiece(ids, position)[4 * (position % pieceMembers) + word]!;
}

/** Computes the bucket where the search for an id starts, by Fibonacci hashing, because the ids of tests are not random. */
function hashTail({ buckets }: MemberIds, tail: number): number {
  return Math.imul(tail, 0x9e3779b1) >>> (Math.clz32(buckets.length) + 1);
}

function computeNextBucket({ buckets }: MemberIds, bucket: number): number {
  return (bucket + 1) & (buckets.length - 1);
}

/** Finds the bucket that contains an id; -1 if the id is not present. */
function findBucket(ids: MemberIds, words: Words): number {
  for (
    let bucket = hashTail(ids, words[3]);
    ids.buckets[bucket] !== 0;
    bucket = computeNextBucket(ids, bucket)
  ) {
    const position = ids.buckets[bucket]! - 1;
    if (words.every((word, index) => readWord(ids, position, index) === word)) return bucket;
  }
  return -1;
}

function insertPosition(ids: MemberIds, position: number): void {
  let bucket = hashTail(ids, readWord(ids, position, 3));
  while (ids.buckets[bucket] !== 0) bucket = computeNextBucket(ids, bucket);
  ids.buckets[bucket] = position + 1;
}

function rehashIds(ids: MemberIds): void {
  let length = ids.buckets.length;
  while (4 * ids.size > 3 * length) length *= 2;
  ids.buckets = new Int32Array(length);
  for (let position = 0; position < ids.size; position += 1) insertPosition(ids, position);
}

/** Empties the bucket of a position, and moves later entries forward that a search would no longer reach across the gap. */
function unlinkPosition(ids: MemberIds, position: number): void {
  const mask = ids.buckets.length - 1;
  let gap = hashTail(ids, readWord(ids, position, 3));
  while (ids.buckets[gap] !== position + 1) gap = computeNextBucket(ids, gap);
  for (
    let bucket = computeNextBucket(ids, gap);
    ids.buckets[bucket] !== 0;
    bucket = computeNextBucket(ids, bucket)
  ) {
    const from = hashTail(ids, readWord(ids, ids.buckets[bucket]! - 1, 3));
    if (((bucket - from) & mask) < ((bucket - gap) & mask)) continue;
    ids.buckets[gap] = ids.buckets[bucket]!;
    gap = bucket;
  }
  ids.buckets[gap] = 0;
}
