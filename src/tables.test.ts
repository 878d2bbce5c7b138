import { beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { tables } from './tables.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

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
