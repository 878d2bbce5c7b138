import type { Client, ClientConfig } from 'pg';
import { readErrorCode, readErrorMessage } from '@tessera/embedded-postgres';
import { OperatorError } from '#platform/command-line.ts';
import { openClient } from '#platform/database/connections.ts';
import type { ReferenceCheck } from '#platform/distribution/check-references.ts';

/** How many tables and indexes were read, and what is wrong with them. */
export type DatabaseCheck = {
  readonly tables: number;
  readonly indexes: number;
  readonly faults: readonly string[];
};

const faults_max = 20;

/**
 * Reads every page of every table, which compares the checksums, and every entry of every B-tree, with PostgreSQL's own `amcheck`
 * (https://www.postgresql.org/docs/18/amcheck.html). The extension is created in a transaction that is rolled back, so nothing changes.
 *
 * @throws OperatorError if the server has no amcheck, or the role may not use it.
 */
export async function checkDatabase(connection: ClientConfig): Promise<DatabaseCheck> {
  const client = await openClient(connection);
  try {
    await client.query('BEGIN');
    await createExtension(client);
    const tables = await listRelations(client, ['r', 't', 'm']);
    const indexes = await listRelations(client, ['i']);
    const faults = [
      ...(await listInvalidIndexes(client)),
      ...(await checkEach(client, tables, checkTable)),
      ...(await checkEach(client, indexes, checkIndex)),
    ];
    await client.query('ROLLBACK');
    return { tables: tables.length, indexes: indexes.length, faults: faults.slice(0, faults_max) };
  } finally {
    await client.end();
  }
}

/** Says why the check fails; undefined if it does not. */
export function describeDatabaseFaults(check: DatabaseCheck | ReferenceCheck): string | undefined {
  const { faults } = check;
  if ('references' in check && faults.length > 0) return `rows refer to nothing: ${faults[0]}`;
  return faults.length === 0
    ? undefined
    : `the files of the database are damaged: ${faults[0]}. Restore it from a backup (docs/operating.md#backup-and-restore)`;
}

type Relation = { readonly oid: number; readonly name: string };

async function createExtension(client: Client): Promise<void> {
  await client.query('CREATE EXTENSION IF NOT EXISTS amcheck').catch((error: unknown) => {
    // Insufficient privilege, or an extension that is not installed.
    if (!['42501', '0A000', '58P01'].includes(String(readErrorCode(error)))) throw error;
    throw new OperatorError(
      `the database cannot be checked: ${readErrorMessage(error)}. Run amcheck as a superuser of your server`,
      { cause: error },
    );
  });
}

async function listRelations(client: Client, kinds: readonly string[]): Promise<readonly Relation[]> {
  const { rows } = await client.query<Relation>(
    `SELECT c.oid, c.oid::regclass::text AS name FROM pg_class c
     LEFT JOIN pg_index i ON i.indexrelid = c.oid LEFT JOIN pg_am a ON a.oid = c.relam
     WHERE c.relkind = ANY ($1) AND c.relpersistence = 'p'
       AND (i.indexrelid IS NULL OR (a.amname = 'btree' AND i.indisvalid)) ORDER BY c.oid`,
    [kinds],
  );
  return rows;
}

async function listInvalidIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid',
  );
  return rows.map(({ name }) => `the index ${name} is not complete`);
}

/** A check that fails ends only its own part of the transaction. */
async function checkEach(
  client: Client,
  relations: readonly Relation[],
  check: (client: Client, relation: Relation) => Promise<string[]>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const relation of relations) {
    await client.query('SAVEPOINT one');
    const found = await check(client, relation).catch((error: unknown) => [
      `${relation.name}: ${readErrorMessage(error)}`,
    ]);
    faults.push(...found);
    await client.query('ROLLBACK TO SAVEPOINT one');
    if (faults.length >= faults_max) break;
  }
  return faults;
}

async function checkTable(client: Client, { oid, name }: Relation): Promise<string[]> {
  const { rows } = await client.query<{ blkno: string; msg: string }>(
    `SELECT blkno::text, msg FROM verify_heapam($1::oid::regclass) LIMIT ${faults_max}`,
    [oid],
  );
  return rows.map(({ blkno, msg }) => `${name}, page ${blkno}: ${msg}`);
}

async function checkIndex(client: Client, { oid }: Relation): Promise<string[]> {
  await client.query('SELECT bt_index_check($1::oid::regclass, true)', [oid]);
  return [];
}
