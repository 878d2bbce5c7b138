import type pg from 'pg';
import { OperatorError } from '#platform/command-line.ts';
import { openClient } from '#platform/database/connections.ts';
import { describePlace, no_citus, readEngine } from './engine.ts';
import { listPlacedTables } from './tables.ts';

/** What a node has of a table. Rows are those of the last time when PostgreSQL counted them. */
type NodePart = {
  readonly node: string;
  readonly shards: number;
  readonly rows: number;
  readonly bytes: number;
};

/** Where a table is. A table of the first node has no parts. */
type TablePlace = {
  readonly table: string;
  readonly place: string;
  readonly nodes: readonly NodePart[];
};

/** Where the tables of a distributed database are, and how even. */
export type PlaceReport = {
  /** All distributed tables together. */
  readonly nodes: readonly NodePart[];
  /** The bytes of the fullest node, divided by the mean; 1 is even. Null without rows. */
  readonly unevenness: number | null;
  readonly tables: readonly TablePlace[];
};

/**
 * Reports where the tables of a distributed database are. Changes nothing.
 *
 * @throws OperatorError if the database has no Citus, or is on a worker.
 */
export async function listPlaces(connection: pg.ClientConfig): Promise<PlaceReport> {
  const client = await openClient(connection);
  try {
    const engine = await readEngine(client);
    if (!engine) throw new OperatorError(no_citus);
    const tables: TablePlace[] = [];
    for (const { table, place } of await listPlacedTables(client))
      tables.push({
        table,
        place: describePlace(place),
        nodes: place === 'single' ? [] : await listParts(client, table),
      });
    const distributed = tables.filter(({ place }) => place.startsWith('distributed'));
    const nodes = addParts(distributed.flatMap((each) => each.nodes));
    const mean = nodes.reduce((sum, { bytes }) => sum + bytes, 0) / nodes.length;
    const unevenness =
      mean > 0 ? Math.round((Math.max(...nodes.map(({ bytes }) => bytes)) / mean) * 100) / 100 : null;
    return { nodes, unevenness, tables };
  } finally {
    await client.end();
  }
}

/** One line for each node and each table. */
export function formatPlaces({
  nodes,
  unevenness,
  tables,
}: PlaceReport): Readonly<Record<string, string | number>> {
  return {
    ...Object.fromEntries(nodes.map((part) => [part.node, formatPart(part)])),
    unevenness: unevenness ?? 'no rows',
    ...Object.fromEntries(
      tables.map(({ table, place, nodes: parts }) => [
        table,
        [place, ...parts.map((part) => `${part.node} ${formatPart(part)}`)].join('; '),
      ]),
    ),
  };
}

function formatPart({ shards, rows, bytes }: NodePart): string {
  return `${shards} ${shards === 1 ? 'shard' : 'shards'}, ${rows} rows, ${bytes} bytes`;
}

async function listParts(client: pg.Client, table: string): Promise<readonly NodePart[]> {
  const { rows } = await client.query<NodePart>(
    `select nodename || ':' || nodeport as node, count(*)::int as shards, sum(result::bigint)::float8 as rows, sum(shard_size)::float8 as bytes
     from run_command_on_shards($1, 'select greatest(reltuples, 0)::bigint from pg_class where oid = ''%s''::regclass') as counted
       join citus_shards using (shardid)
     group by 1 order by 1`,
    [table],
  );
  return rows;
}

function addParts(parts: readonly NodePart[]): readonly NodePart[] {
  return [...Map.groupBy(parts, ({ node }) => node)].map(([node, of]) => ({
    node,
    shards: of.reduce((sum, { shards }) => sum + shards, 0),
    rows: of.reduce((sum, { rows }) => sum + rows, 0),
    bytes: of.reduce((sum, { bytes }) => sum + bytes, 0),
  }));
}
