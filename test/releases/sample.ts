import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';

/** The rows that a release left in a database: JSON for each table, and the latest number of each sequence. Numbers are not parsed, so none loses digits. */
export type Sample = {
  readonly tables: ReadonlyMap<string, string>;
  readonly sequences: ReadonlyMap<string, string>;
};

/** What the signing keys and the other secrets of every sample are encrypted under. */
export const sample_key = createHash('sha256').update('the samples of releases').digest('base64');

/** The password of the people of a sample, whom the demonstration registers. */
export const sample_password = 'Demo-Password-2026';

/** Reads a file that {@link writeSample} wrote. */
export function readSample(file: URL): Sample {
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');
  const entries = lines.map((line) => line.split('\t') as [kind: string, name: string, content: string]);
  const pick = (kind: string) =>
    new Map(entries.filter(([each]) => each === kind).map(([, ...entry]) => entry));
  return { tables: pick('table'), sequences: pick('sequence') };
}

/** Lists the migrations that the release had, in their order. */
export function listMigrations({ tables }: Sample): readonly string[] {
  return (JSON.parse(tables.get('migrations')!) as { name: string }[]).map(({ name }) => name).toSorted();
}

/** Writes the same bytes for the same rows. */
export function writeSample({ tables, sequences }: Sample, file: string): void {
  const list = (kind: string, entries: ReadonlyMap<string, string>) =>
    [...entries].map(([name, content]) => `${kind}\t${name}\t${content}\n`);
  const text = [...list('table', tables), ...list('sequence', sequences)].join('');
  writeFileSync(file, gzipSync(text, { level: 9 }));
}

/** Reads the rows of all tables that have any. */
export async function collectSample(client: pg.Client): Promise<Sample> {
  const tables = new Map<string, string>();
  for (const [table, columns] of await listColumns(client)) {
    const { rows } = await client.query<{ json: string | null }>(
      `select json_agg(row_to_json(one) order by row_to_json(one)::text)::text as json
       from (select ${columns.join(', ')} from ${table}) as one`,
    );
    const { json } = rows[0]!;
    // A line feed between rows is white space; one inside a value is escaped.
    if (json !== null) tables.set(table, json.replaceAll('\n', ''));
  }
  const { rows } = await client.query<{ name: string; last: string }>(
    'select sequencename as name, last_value::text as last from pg_sequences where last_value is not null order by 1',
  );
  return { tables, sequences: new Map(rows.map(({ name, last }) => [name, last])) };
}

/** Puts the rows of a sample into a database that has the tables of its release, in place of what its migrations inserted. */
export async function loadSample(client: pg.Client, { tables, sequences }: Sample): Promise<void> {
  const columns = await listColumns(client);
  await client.query('begin');
  // No trigger and no reference looks at rows that a release has written.
  await client.query('set local session_replication_role = replica');
  await client.query(`truncate ${[...columns.keys()].join(', ')}`);
  for (const [table, json] of tables) {
    const list = columns.get(table)!.join(', ');
    await client.query(
      `insert into ${table} (${list}) overriding system value select ${list} from json_populate_recordset(null::${table}, $1)`,
      [json],
    );
  }
  for (const [name, last] of sequences) await client.query('select setval($1, $2)', [name, last]);
  await client.query('commit');
}

/** Lists the columns of each table that hold what was written, not what is computed. */
export async function listColumns(client: pg.Client): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select relname as name, array_agg(quote_ident(attname) order by attnum) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped and attgenerated = ''
     group by relname order by relname`,
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}
