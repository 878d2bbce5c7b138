import type pg from 'pg';
import type { ForeignKey } from './place.ts';

/** Where a table is in the database. */
export type PlacedTable = {
  readonly table: string;
  /** As `Places` names it. */
  readonly place: string;
  /** Bytes of rows in the table itself; of a placed table, those that it had before and that were copied to the nodes. */
  readonly own_bytes: number;
};

/** Lists the tables of the service in order of name, each with its place. */
export async function listPlacedTables(client: pg.Client): Promise<readonly PlacedTable[]> {
  const { rows } = await client.query<PlacedTable>(`
    select relname as table, pg_relation_size(pg_class.oid)::float8 as own_bytes,
      case when partmethod = 'h' then column_to_column_name(logicalrelid, partkey)
        when partmethod = 'n' and repmodel = 't' then 'copied' else 'single' end as place
    from pg_class left join pg_dist_partition on logicalrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`);
  return rows;
}

/** Counts the rows of a table. */
export async function countRows(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from ${client.escapeIdentifier(table)}`,
  );
  return Number(rows[0]!.count);
}

/** Lists all foreign keys between tables of the service. */
export async function listForeignKeys(client: pg.Client): Promise<readonly ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    select source.relname as table, conname as name, target.relname as target, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class source on source.oid = conrelid join pg_class target on target.oid = confrelid
    where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`);
  return rows;
}

/** Lists the foreign keys that were taken away when their tables were placed. */
export async function listRemovedKeys(client: pg.Client): Promise<readonly ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select table_name as table, name, target, definition from distribution.foreign_keys order by 1, 2`,
  );
  return rows;
}

/** A trigger, with the statement that creates it. */
export type Trigger = { readonly table: string; readonly name: string; readonly definition: string };

/** Lists the triggers that migrations have created. */
export async function listTriggers(client: pg.Client): Promise<readonly Trigger[]> {
  const { rows } = await client.query<Trigger>(`
    select relname as table, tgname as name, pg_get_triggerdef(pg_trigger.oid) as definition
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = 'public'::regnamespace and not tgisinternal and tgname !~ '^truncate_trigger_[0-9]+$' order by 1, 2`);
  return rows;
}

/** Lists the triggers that were taken away until their tables are placed. */
export async function listRemovedTriggers(client: pg.Client): Promise<readonly Trigger[]> {
  const { rows } = await client.query<Trigger>(
    'select table_name as table, name, definition from distribution.triggers order by 1, 2',
  );
  return rows;
}
