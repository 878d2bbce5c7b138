import type pg from 'pg';
import { describeStatement, type ResultColumn } from './describe-statement.ts';

/** A type of the database: the name of a type of PostgreSQL, or the values of one of ours; `isArray` for an array of these. */
export type DatabaseType = {
  readonly name: string;
  readonly labels: readonly string[];
  readonly isArray: boolean;
};

export type TableColumn = {
  readonly name: string;
  readonly is_required: boolean;
  /** Whether an insert must give it: it cannot be null, and nothing else gives it a value. */
  readonly must_be_given: boolean;
};

/** What a migrated database says of its types and tables. */
export type Catalogue = {
  readonly findType: (type_id: number) => DatabaseType;
  /** The columns of a table, by the name that a statement uses for it. */
  readonly listColumns: (table: string) => readonly TableColumn[];
  /** Whether a column of a result is directly a column of a table that may be null. */
  readonly mayBeNull: (column: ResultColumn) => boolean;
  /** The name of a column with its table or view, such as `jobs.id`; undefined if it is no column of one. */
  readonly nameColumn: (column: ResultColumn) => string | undefined;
};

/** Reads the catalogue of a migrated database. */
export async function readCatalogue(client: pg.ClientBase): Promise<Catalogue> {
  const types = await readTypes(client);
  const { rows } = await client.query<TableColumn & { table_id: number; table: string; place: number }>(`
    select attrelid::int as table_id, case when nspname = 'public' then relname else nspname || '.' || relname end as table,
      attnum as place, attname as name, attnotnull as is_required,
      attnotnull and not atthasdef and attidentity = '' and attgenerated = '' as must_be_given
    from pg_attribute join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
    where attnum > 0 and not attisdropped and relkind in ('r', 'p', 'v') and nspname <> 'information_schema'
    order by attrelid, attnum`);
  const byTable = Map.groupBy(rows, ({ table }) => table);
  const byPlace = new Map(rows.map((row) => [`${row.table_id} ${row.place}`, row]));
  const viewColumns = await readViewColumns(client);
  const mayBeNull = ({ table_id, place }: ResultColumn): boolean => {
    const ofView = viewColumns.get(table_id)?.[place - 1];
    return ofView ? mayBeNull(ofView) : byPlace.get(`${table_id} ${place}`)?.is_required === false;
  };
  return {
    findType: (type_id) => types.get(type_id) ?? { name: `type ${type_id}`, labels: [], isArray: false },
    listColumns: (table) => byTable.get(table) ?? [],
    mayBeNull,
    nameColumn: ({ table_id, place }) => {
      const column = byPlace.get(`${table_id} ${place}`);
      return column && `${column.table}.${column.name}`;
    },
  };
}

async function readTypes(client: pg.ClientBase): Promise<ReadonlyMap<number, DatabaseType>> {
  const { rows } = await client.query<{ id: number; base: string; labels: string[]; is_array: boolean }>(`
    select pg_type.oid::int as id, coalesce(element.typname, base.typname, pg_type.typname) as base, element.oid is not null as is_array,
      array(select enumlabel::text from pg_enum where enumtypid = coalesce(element.oid, pg_type.oid) order by enumsortorder) as labels
    from pg_type
    left join pg_type as element on element.oid = pg_type.typelem and pg_type.typcategory = 'A'
    left join pg_type as base on base.oid = pg_type.typbasetype`);
  return new Map(
    rows.map(({ id, base, labels, is_array }) => [id, { name: base, labels, isArray: is_array }]),
  );
}

/** Lists which columns of tables the columns of each view directly are. */
async function readViewColumns(client: pg.ClientBase): Promise<ReadonlyMap<number, readonly ResultColumn[]>> {
  const { rows } = await client.query<{ id: number; definition: string }>(
    `select oid::int as id, pg_get_viewdef(oid) as definition from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace`,
  );
  const columns = new Map<number, readonly ResultColumn[]>();
  for (const { id, definition } of rows) {
    const described = await describeStatement(client, definition);
    if ('columns' in described) columns.set(id, described.columns);
  }
  return columns;
}
