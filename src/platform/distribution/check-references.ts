import type pg from 'pg';
import { OperatorError } from '#platform/command-line.ts';
import { openClient } from '#platform/database/connections.ts';
import { describeHalfDistribution, findPlacedMigration } from './engine.ts';
import { parseForeignKey, type ForeignKey } from './place.ts';
import { listRemovedKeys } from './tables.ts';

/** How many references of a distributed database were read, and those that lead to nothing. */
export type ReferenceCheck = { readonly references: number; readonly faults: readonly string[] };

const page_rows = 1_000;

/**
 * Checks the references of a distributed database; undefined if the database is not distributed.
 *
 * @throws OperatorError if it is half distributed.
 */
export async function checkDistribution(connection: pg.ClientConfig): Promise<ReferenceCheck | undefined> {
  const client = await openClient(connection);
  try {
    if ((await findPlacedMigration(client)) === undefined) return undefined;
    const reason = await describeHalfDistribution(client);
    if (reason !== undefined) throw new OperatorError(reason);
    return await checkReferences(client);
  } finally {
    await client.end();
  }
}

type Key = readonly string[];

/**
 * Reads every row of a table whose foreign key a distributed database cannot have, in order of its columns, and looks for the row that it refers to. A row that
 * another transaction adds or removes meanwhile may be reported: a fault counts if it stays.
 */
async function checkReferences(client: pg.Client): Promise<ReferenceCheck> {
  const faults: string[] = [];
  let references = 0;
  for (const key of await listRemovedKeys(client)) {
    const found = await checkKey(client, key);
    references += found.references;
    if (found.missing.length > 0)
      faults.push(
        `${key.table} refers to ${key.target}, which lacks ${found.missing.length} of its ${found.references} values, such as ${found.missing[0]!.join()}`,
      );
  }
  return { references, faults };
}

async function checkKey(
  client: pg.Client,
  { table, target, definition }: ForeignKey,
): Promise<{ readonly references: number; readonly missing: readonly Key[] }> {
  const { columns, referred } = parseForeignKey(definition);
  const missing: Key[] = [];
  let references = 0;
  for (let page = await listKeys(client, table, columns); page.length > 0;) {
    references += page.length;
    const present = new Set((await listPresent(client, target, referred, page)).map((key) => key.join()));
    missing.push(...page.filter((key) => !present.has(key.join())));
    page = page.length < page_rows ? [] : await listKeys(client, table, columns, page.at(-1));
  }
  return { references, missing };
}

/** Lists different values of the columns, in order, after a value. A value that is null refers to nothing. */
async function listKeys(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  after?: Key,
): Promise<readonly Key[]> {
  const names = columns.map((column) => client.escapeIdentifier(column));
  const conditions = names.map((name) => `${name} is not null`);
  if (after) conditions.push(`(${names.join()}) > (${names.map((_, index) => `$${index + 1}`).join()})`);
  const { rows } = await client.query<string[]>({
    text: `select distinct ${names.join()} from ${client.escapeIdentifier(table)} where ${conditions.join(' and ')}
      order by ${names.join()} limit ${page_rows}`,
    values: [...(after ?? [])],
    rowMode: 'array',
  });
  return rows.map((row) => row.map(String));
}

/** Lists what a table has of these values, and others that begin with the same column. */
async function listPresent(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  keys: readonly Key[],
): Promise<readonly Key[]> {
  const names = columns.map((column) => client.escapeIdentifier(column));
  const { rows } = await client.query<string[]>({
    text: `select ${names.join()} from ${client.escapeIdentifier(table)} where ${names[0]!} = any($1)`,
    values: [[...new Set(keys.map(([first]) => first))]],
    rowMode: 'array',
  });
  return rows.map((row) => row.map(String));
}
