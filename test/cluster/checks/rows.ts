import type pg from 'pg';

/** Reads one column, all of it as text. Keys of different tables are compared here, because a distributed database does not join them. */
export async function readColumn(
  client: pg.Client,
  statement: string,
  values: readonly unknown[] = [],
): Promise<readonly string[]> {
  const { rows } = await client.query<string[]>({ text: statement, values: [...values], rowMode: 'array' });
  return rows.map(([value]) => String(value));
}

/** Lists what is in `wanted` and not in `found`. */
export function listMissing(wanted: readonly string[], found: Iterable<string>): readonly string[] {
  const present = new Set(found);
  return wanted.filter((each) => !present.has(each));
}

/** Counts what the check of a rule found: nothing of it may be. */
export type Findings = Readonly<Record<string, readonly string[]>>;
