import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { Refusal } from './refusal.ts';

/** The end of a page: the values of the list's sort columns in its last row. The last column is unique, and numbers are finite. */
export type Position = readonly (string | number)[];

/** The specification's pagination envelope. */
export type Page<Row> = {
  readonly data: Row[];
  readonly pagination: {
    readonly next_cursor: string | null;
    readonly has_more: boolean;
    readonly total_count: number;
  };
};

/** The largest number of characters of a cursor, when it is written and when it is read. */
export const cursor_characters_max = 512;

const tag_bytes = 16;

/**
 * Writes a cursor: base64url (RFC 4648 section 5, without padding) of a 16-byte tag and the position as JSON. The tag is a truncated
 * HMAC-SHA256 (RFC 2104) over scope and position, so that a position can neither be forged nor used with another list.
 *
 * @param key A secret key of 32 bytes.
 * @param scope The list and the filters that the cursor is valid for; see {@link buildFilterScope}.
 * @throws Error if a number is not finite or the cursor would be too long. Positions come from our own code, so this is a defect.
 */
export function encodeCursor(key: KeyObject, scope: string, position: Position): string {
  if (position.some((value) => typeof value === 'number' && !Number.isFinite(value)))
    throw new Error('a position contains a number that is not finite');
  const text = JSON.stringify(position);
  const cursor = Buffer.concat([computeTag(key, scope, text), Buffer.from(text)]).toString('base64url');
  if (cursor.length > cursor_characters_max)
    throw new Error(`a cursor of ${cursor.length} characters is too long`);
  return cursor;
}

/**
 * Reads a cursor back.
 *
 * @throws Refusal `cursor_invalid` (400) unless {@link encodeCursor} encoded exactly this text with this key and scope.
 */
export function decodeCursor(key: KeyObject, scope: string, cursor: string): Position {
  if (cursor.length > cursor_characters_max) throw new Refusal('cursor_invalid');
  const bytes = Buffer.from(cursor, 'base64url');
  // Node's decoder ignores stray characters and loose last bits. A position must have exactly one cursor.
  if (bytes.length < tag_bytes || bytes.toString('base64url') !== cursor) throw new Refusal('cursor_invalid');
  const text = bytes.toString('utf8', tag_bytes);
  if (!timingSafeEqual(bytes.subarray(0, tag_bytes), computeTag(key, scope, text)))
    throw new Refusal('cursor_invalid');
  return JSON.parse(text) as Position;
}

/**
 * Builds the scope of a list's cursors from the list's name and everything that selects or orders its rows, the caller included. The order
 * of keys does not matter, and an undefined filter counts as absent. Leave out `limit` and `cursor`, so that the limit may change from page
 * to page.
 */
export function buildFilterScope(name: string, filters: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([name, filters], (_key, value: unknown) =>
    isRecord(value) ? sortByKey(value) : value,
  );
}

/**
 * Builds a page of at most `limit` rows from `limit + 1` fetched rows. The extra row only shows that another page follows.
 *
 * @param page.next Encodes the cursor of the page's last row; called only if another page follows.
 * @param page.total_count The number of all rows that the filters select, counted separately.
 */
export function buildPage<Row>({
  rows,
  limit,
  total_count,
  next: encodeRowCursor,
}: {
  readonly rows: readonly Row[];
  readonly limit: number;
  readonly total_count: number;
  readonly next: (last: Row) => string;
}): Page<Row> {
  const has_more = rows.length > limit;
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return {
    data,
    pagination: {
      next_cursor: has_more && last !== undefined ? encodeRowCursor(last) : null,
      has_more,
      total_count,
    },
  };
}

/** The scope is encoded as a JSON string, whose end is unambiguous, so that no other pair of scope and position gives the same bytes. */
function computeTag(key: KeyObject, scope: string, text: string): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(scope)).update(text).digest().subarray(0, tag_bytes);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sortByKey(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}
