import type { DatabaseType } from './catalogue.ts';

/** What a type of PostgreSQL is in TypeScript: what `pg` yields for a column, and what it may be given for a parameter. */
type TypePair = { readonly yields: string; readonly takes: string };

const text: TypePair = { yields: 'string', takes: 'string' };
const number: TypePair = { yields: 'number', takes: 'number' };
const time: TypePair = { yields: 'Date', takes: 'Date | string' };
const json: TypePair = { yields: 'Json', takes: 'string | JsonObject' };

/** `statements.test.ts` compares what `pg` yields for a value of each type with `yields`. */
export const typePairs: Readonly<Record<string, TypePair>> = {
  bool: { yields: 'boolean', takes: 'boolean' },
  bytea: { yields: 'Buffer', takes: 'Uint8Array' },
  bpchar: text,
  char: text,
  date: time,
  float4: number,
  float8: number,
  inet: text,
  int2: number,
  int4: number,
  // The database's parser refuses what a number cannot hold; bigints are sent as texts.
  int8: { yields: 'number', takes: 'number | string | bigint' },
  json,
  jsonb: json,
  name: text,
  numeric: { yields: 'string', takes: 'number | string | bigint' },
  oid: { yields: 'number', takes: 'number' },
  pg_lsn: text,
  pg_snapshot: text,
  regclass: text,
  text,
  timestamp: time,
  timestamptz: time,
  uuid: text,
  varchar: text,
  void: { yields: 'string', takes: 'never' },
  xid: text,
  xid8: text,
};

/** Arrays that `pg` leaves as a text, because it has no parser for them; of 64-bit integers, it yields texts. */
const textArrays: ReadonlySet<string> = new Set(['name', 'char', 'pg_lsn', 'xid', 'xid8']);

/** The type, in TypeScript, of what `pg` yields for a column; undefined if it is not known. */
export function writeYieldedType({ name, labels, isArray }: DatabaseType): string | undefined {
  if (isArray && (labels.length > 0 || textArrays.has(name))) return 'string';
  if (isArray && name === 'int8') return 'readonly string[]';
  const element = labels.length > 0 ? writeLabels(labels) : typePairs[name]?.yields;
  return isArray && element ? `readonly (${element})[]` : element;
}

/** The type, in TypeScript, of what `pg` may be given for a parameter; undefined if it is not known. */
export function writeTakenType({ name, labels, isArray }: DatabaseType): string | undefined {
  const element = labels.length > 0 ? writeLabels(labels) : typePairs[name]?.takes;
  return isArray && element ? `List<${element}>` : element;
}

function writeLabels(labels: readonly string[]): string {
  return labels.map((label) => JSON.stringify(label)).join(' | ');
}
