/** The number of random bytes that {@link formatParentId} and {@link formatChildId} need. */
export const child_id_bytes = 8;

/** What the id of every parent ends with: it has 60 random bits, all of them before this. */
const parent_ending = '-8000-000000000000';

/** The characters before {@link parent_ending}, in an id of a parent or of one of its children. */
const parent_characters = 18;

/**
 * Formats the id of a parent: a UUID of version 8 (RFC 9562), whose first half has 60 random bits and whose second half has none.
 *
 * @param random Eight random bytes.
 */
export function formatParentId(random: Uint8Array): string {
  const hex = toHex(random);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13)}${parent_ending}`;
}

/**
 * Formats the id of a child: a UUID of version 8 that begins like the id of its parent and has 62 random bits of its own. It says nothing
 * about the child, and nothing about the parent beyond its id. So one who has the id of a child needs no other key to find its parent.
 *
 * @param random Eight random bytes.
 */
export function formatChildId(parent_id: string, random: Uint8Array): string {
  return formatChildIdFromHex(parent_id, toHex(random));
}

/** Formats the id of a child like {@link formatChildId}, from eight random bytes in hexadecimal. Digits after them are ignored. */
export function formatChildIdFromHex(parent_id: string, hex: string): string {
  // The first two bits are the variant.
  const first = '89ab'[Number.parseInt(hex[0]!, 16) & 3]!;
  return `${parent_id.slice(0, parent_characters)}-${first}${hex.slice(1, 4)}-${hex.slice(4, 2 * child_id_bytes)}`;
}

/** Computes the id of the parent from the id of a child. The id of something else gives the id of no parent. */
export function readParentId(child_id: string): string {
  return `${child_id.slice(0, parent_characters)}${parent_ending}`;
}

function toHex(random: Uint8Array): string {
  if (random.length !== child_id_bytes)
    throw new Error(`the id of a parent or a child needs ${child_id_bytes} random bytes`);
  return Buffer.from(random).toString('hex');
}
