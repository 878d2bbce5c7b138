import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { placements } from './placements.ts';
import { tables } from './tables.ts';
import { unkeyed } from './unkeyed.ts';

const app = await startApp();

type Ownership = Readonly<Partial<Record<'owns' | 'publishes' | 'functions', readonly string[]>>>;

const modules: readonly (readonly [string, Ownership])[] = Object.entries(tables);

const listDeclared = (list: keyof Ownership) => modules.flatMap(([, ownership]) => ownership[list] ?? []);
const findOwner = (name: string) =>
  modules.find(([, { owns = [], publishes = [] }]) => [...owns, ...publishes].includes(name))?.[0];

/** Lists the tables ('r'), views ('v') or functions ('f') of a migrated database. */
async function listNames(kind: 'r' | 'v' | 'f'): Promise<readonly string[]> {
  const rows = await app.sql.list(sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = ${kind}::"char"
    union all select proname from pg_proc where pronamespace = 'public'::regnamespace and ${kind} = 'f'`);
  return rows.map(({ name }) => name).toSorted();
}

test('every table, view and function of the database has exactly one owner', async () => {
  const owned = listDeclared('owns').filter((name) => !name.endsWith('.*'));
  expect(await listNames('r')).toEqual(owned.toSorted());
  expect(await listNames('v')).toEqual(listDeclared('publishes').toSorted());
  expect(await listNames('f')).toEqual(listDeclared('functions').toSorted());
});

test('a published view reads only what its publisher has', async () => {
  const usage = await app.sql.list(sql<{ view: string; table: string }>`
    select view_name as view, table_name as table from information_schema.view_table_usage where view_schema = 'public'`);
  expect(usage.length).toBeGreaterThanOrEqual(listDeclared('publishes').length);
  for (const { view, table } of usage) expect([view, findOwner(table)]).toEqual([view, findOwner(view)]);
});

test('the planner replaces every published view by its tables', async () => {
  const plans = await app.sql.transaction(async (tx) => {
    const texts: string[] = [];
    for (const view of listDeclared('publishes')) {
      const { rows } = await tx.client.query<{ 'QUERY PLAN': string }>(`explain select * from ${view}`);
      texts.push(`${view}: ${rows.map((row) => row['QUERY PLAN']).join('\n')}`);
    }
    return texts;
  });
  for (const plan of plans) expect(plan).not.toMatch(/Subquery Scan|CTE Scan|Aggregate|Unique|Limit/);
});

test('every table and published view has a place in a distributed database, by a column of its own that cannot be null', async () => {
  const names = [
    ...listDeclared('owns').filter((name) => !name.endsWith('.*')),
    ...listDeclared('publishes'),
  ];
  expect(Object.keys(placements).toSorted()).toEqual(names.toSorted());
  const columns = await app.sql.list(sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and (is_nullable = 'NO' or table_name in (select table_name from information_schema.views))`);
  const keys = Object.entries(placements).filter(([, place]) => place !== 'copied' && place !== 'single');
  expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining(keys.map((key) => key.join('.'))));
});

test('every unique index of a distributed table contains its key, which is all that a shard can check', async () => {
  const indexes = await app.sql.list(sql<{ table: string; index: string; columns: string[] }>`
    select tables.relname as table, indexes.relname as index, to_json(array(
      select attname::text from pg_attribute where attrelid = tables.oid and attnum = any(indkey::smallint[]))) as columns
    from pg_index join pg_class as tables on tables.oid = indrelid join pg_class as indexes on indexes.oid = indexrelid
    where indisunique and tables.relnamespace = 'public'::regnamespace`);
  const places: Readonly<Record<string, string>> = placements;
  const distributed = indexes.filter(({ table }) => !['copied', 'single'].includes(places[table] ?? ''));
  expect(distributed.length).toBeGreaterThan(15);
  for (const { table, index, columns } of distributed)
    expect([index, columns]).toEqual([index, expect.arrayContaining([places[table]])]);
});

test('each exception of a statement without a key has its reason', () => {
  for (const reason of Object.values(unkeyed)) expect(reason).toMatch(/^[A-Z].{10,}\.$/);
});
