/**
 * The ids of a population, by position and back: 16 bytes a member for the id and four to eight for finding it, where strings in a `Map`
 * would take some 150.
 */
export type MemberIds = {
  size: number;
  /** Four words of 32 bits a member, in pieces, so that growth copies nothing. */
  readonly pieces: Uint32Array[];
  /** Open addressing with linear probing, by the last word of the id, which is random; a bucket holds a position plus one, or zero. */
  buckets: Int32Array;
};

const pieceMembers = 65_536;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function createMemberIds(): MemberIds {
  return { size: 0, pieces: [], buckets: new Int32Array(1024) };
}

/** The position of an id, or undefined. */
export function positionOf(ids: MemberIds, id: string): number | undefined {
  const words = wordsOf(id);
  const bucket = words ? findBucket(ids, words) : -1;
  return bucket === -1 ? undefined : ids.buckets[bucket]! - 1;
}

/** The positions of the ids whose last 32 bits are these: one, unless two members share them by chance. */
export function positionsOfTail(ids: MemberIds, tail: number): readonly number[] {
  const found: number[] = [];
  for (let bucket = home(ids, tail); ids.buckets[bucket] !== 0; bucket = next(ids, bucket)) {
    const position = ids.buckets[bucket]! - 1;
    if (wordAt(ids, position, 3) === tail >>> 0) found.push(position);
  }
  return found;
}

/** Adds an id that is not there yet, behind all others. Throws a RangeError where it is no UUID in lower case. */
export function appendId(ids: MemberIds, id: string): number {
  const words = wordsOf(id);
  if (!words) throw new RangeError(`"${id}" is not the id of a member.`);
  const position = ids.size;
  if (position === ids.pieces.length * pieceMembers) ids.pieces.push(new Uint32Array(4 * pieceMembers));
  pieceOf(ids, position).set(words, 4 * (position % pieceMembers));
  ids.size += 1;
  // Three quarters full at most, or the ways get long.
  if (4 * ids.size > 3 * ids.buckets.length) rehash(ids);
  else put(ids, position);
  return position;
}

/** The id at a position. */
export function idAt(ids: MemberIds, position: number): string {
  const hex = Array.from({ length: 4 }, (_, word) =>
    wordAt(ids, position, word).toString(16).padStart(8, '0'),
  ).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Takes the id of a position out; the last id moves there. */
export function removeId(ids: MemberIds, position: number): void {
  const last = ids.size - 1;
  unlink(ids, position);
  if (position !== last) {
    unlink(ids, last);
    const words = pieceOf(ids, last).slice(4 * (last % pieceMembers), 4 * (last % pieceMembers) + 4);
    pieceOf(ids, position).set(words, 4 * (position % pieceMembers));
    put(ids, position);
  }
  pieceOf(ids, last).fill(0, 4 * (last % pieceMembers), 4 * (last % pieceMembers) + 4);
  ids.size = last;
}

type Words = readonly [number, number, number, number];

function wordsOf(id: string): Words | undefined {
  if (!uuid.test(id)) return undefined;
  const word = (text: string) => Number.parseInt(text, 16);
  return [
    word(id.slice(0, 8)),
    word(id.slice(9, 13) + id.slice(14, 18)),
    word(id.slice(19, 23) + id.slice(24, 28)),
    word(id.slice(28)),
  ];
}

function pieceOf(ids: MemberIds, position: number): Uint32Array {
  return ids.pieces[Math.floor(position / pieceMembers)]!;
}

function wordAt(ids: MemberIds, position: number, word: number): number {
  return pieceOf(ids, position)[4 * (position % pieceMembers) + word]!;
}

/** The bucket where the search for an id starts: Fibonacci hashing, as the ids of tests are not random. */
function home({ buckets }: MemberIds, tail: number): number {
  return Math.imul(tail, 0x9e3779b1) >>> (Math.clz32(buckets.length) + 1);
}

function next({ buckets }: MemberIds, bucket: number): number {
  return (bucket + 1) & (buckets.length - 1);
}

/** The bucket that holds an id, or -1. */
function findBucket(ids: MemberIds, words: Words): number {
  for (let bucket = home(ids, words[3]); ids.buckets[bucket] !== 0; bucket = next(ids, bucket)) {
    const position = ids.buckets[bucket]! - 1;
    if (words.every((word, index) => wordAt(ids, position, index) === word)) return bucket;
  }
  return -1;
}

function put(ids: MemberIds, position: number): void {
  let bucket = home(ids, wordAt(ids, position, 3));
  while (ids.buckets[bucket] !== 0) bucket = next(ids, bucket);
  ids.buckets[bucket] = position + 1;
}

function rehash(ids: MemberIds): void {
  ids.buckets = new Int32Array(2 * ids.buckets.length);
  for (let position = 0; position < ids.size; position += 1) put(ids, position);
}

/** Empties the bucket of a position, and moves up those behind that would not be found across the gap. */
function unlink(ids: MemberIds, position: number): void {
  const mask = ids.buckets.length - 1;
  let gap = home(ids, wordAt(ids, position, 3));
  while (ids.buckets[gap] !== position + 1) gap = next(ids, gap);
  for (let bucket = next(ids, gap); ids.buckets[bucket] !== 0; bucket = next(ids, bucket)) {
    const from = home(ids, wordAt(ids, ids.buckets[bucket]! - 1, 3));
    if (((bucket - from) & mask) < ((bucket - gap) & mask)) continue;
    ids.buckets[gap] = ids.buckets[bucket]!;
    gap = bucket;
  }
  ids.buckets[gap] = 0;
}
