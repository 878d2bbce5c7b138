import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { findStatementFaults } from '../scripts/statements/check-statements.ts';
import { neverNull } from '../scripts/statements/never-null.ts';
import { typePairs } from '../scripts/statements/types-of-columns.ts';
import { isTest, parseSource, readSources } from '../scripts/tidy/source.ts';
import { cloneDatabase } from './harness.ts';

const root = path.join(import.meta.dirname, '..');
const sources = [
  ...readSources(root, 'src').filter((source) => !isTest(source.path)),
  // The source imports packages whose own types are declared there.
  ...readSources(root, 'packages').filter((source) => source.path.endsWith('.d.ts')),
];
/** Its statements need Citus, and the runs of `test/cluster/run-citus.ts` begin with them. */
const isOfCitus = (found: string) => found.startsWith('src/platform/distribution/');
const platform = sources.filter((source) => /^src\/(?:platform\/database|lib)\//.test(source.path));

let client: pg.Client;
let database: Database;
beforeAll(async () => {
  const settings = await cloneDatabase();
  client = new pg.Client(settings);
  database = openDatabase(settings, () => undefined);
  await client.connect();
  await client.query(`
    create extension if not exists amcheck;
    create table things (
      id uuid primary key, name text not null, kind text not null, count integer not null, total bigint not null, price numeric,
      note text, data jsonb not null, tags text[] not null, created_at timestamptz not null default now());
    create table parts (id uuid primary key, thing_id uuid not null references things, label text not null);
    create view seen_things as select id, name, note as remark from things`);
});
afterAll(async () => {
  await client.end();
  await database.close();
});

test('every statement of the source fits the database, and every type of rows and values fits its statement', async () => {
  const faults = await findStatementFaults(root, sources, client, neverNull);
  expect(faults.filter((found) => !isOfCitus(found))).toEqual([]);
});

test('what pg yields is what the check takes it for', async () => {
  const samples: Readonly<Record<string, string>> = {
    bool: 'true',
    bytea: '\\x00',
    date: '2026-01-01',
    inet: '::1',
    json: '{}',
    jsonb: '{}',
    pg_lsn: '0/0',
    pg_snapshot: '1:1:',
    timestamp: '2026-01-01',
    timestamptz: '2026-01-01',
    uuid: '00000000-0000-0000-0000-000000000000',
    regclass: 'things',
    void: '',
  };
  for (const [name, { yields }] of Object.entries(typePairs)) {
    const [row] = await database.list<{ value: unknown }>({
      text: `select $1::${name === 'char' ? '"char"' : name} as value`,
      values: [samples[name] ?? '1'],
      name: `sample ${name}`,
    });
    const value = row!.value;
    const found =
      value instanceof Date
        ? 'Date'
        : Buffer.isBuffer(value)
          ? 'Buffer'
          : typeof value === 'object'
            ? 'Json'
            : typeof value;
    expect([name, found]).toEqual([name, yields]);
  }
});

/** Statements of a fixture, one a line, each with what is wrong with it. */
const planted: readonly (readonly [statement: string, ...faults: readonly string[]])[] = [
  ['sql<Thing>`select id, name from things where id = ${id}`'],
  ['sql`select 1 from things where id = any(${ids}::uuid[]) and created_at < ${now}`'],
  [
    'sql<{ readonly id: string; readonly kind: "a" | "b"; readonly data: { readonly x: readonly number[] } }>`select id, kind, data from things`',
  ],
  ['sql<Record<string, unknown>>`select * from things`'],
  ['sql<Thing>`select id from things`', 'the type has name, which the statement does not return.'],
  [
    'sql<Thing>`select id, name, kind from things`',
    'the statement returns kind, which the type does not have.',
  ],
  [
    'sql<Thing>`select id, nam as name from things`',
    'PostgreSQL refuses this statement: column "nam" does not exist.',
  ],
  [
    'sql<Thing>`select id name from things where`',
    'PostgreSQL cannot read this statement: syntax error at end of input.',
  ],
  ['sql<Thing>`select id, id as name, name from things`', 'the statement returns two columns name.'],
  [
    'sql<{ created_at: string }>`select created_at from things`',
    'the type of created_at is not what the column yields.',
  ],
  [
    'sql<{ price: number | null }>`select price from things`',
    'the type of price is not what the column yields.',
  ],
  ['sql<{ total: bigint }>`select total from things`', 'the type of total is not what the column yields.'],
  ['sql<{ data: { at: Date } }>`select data from things`', 'the type of data is not what the column yields.'],
  ['sql<{ tags: string }>`select tags from things`', 'the type of tags is not what the column yields.'],
  ['sql<{ note: string }>`select note from things`', 'note may be null, and its type has no null.'],
  ['sql<{ note: string }>`select note from things where note is not null`'],
  ['sql<{ seen: string }>`select note as seen from things where note = ${id}`'],
  [
    'sql<{ remark: string }>`select remark from seen_things`',
    'remark may be null, and its type has no null.',
  ],
  ['sql<{ name: string }>`select name from seen_things`'],
  [
    'sql<{ label: string }>`select parts.label from things left join parts on thing_id = things.id`',
    'label may be null, and its type has no null.',
  ],
  ['sql<{ label: string }>`select parts.label from things join parts on thing_id = things.id`'],
  [
    'sql<{ last: Date }>`select max(created_at) as last from things`',
    'last may be null, and its type has no null.',
  ],
  ['sql<{ last: Date }>`select max(created_at) as last from things group by name`'],
  [
    'sql<{ label: string }>`select (select label from parts limit 1) as label from things`',
    'label may be null, and its type has no null.',
  ],
  [
    'sql<{ size: string }>`select case when count > 1 then name end as size from things`',
    'size may be null, and its type has no null.',
  ],
  [
    'sql<{ nothing: string }>`select null as nothing from things`',
    'nothing may be null, and its type has no null.',
  ],
  [
    'sql`select 1 from things where id = ${count}`',
    'the parameter is of the type number, and PostgreSQL takes string.',
  ],
  [
    'sql`select 1 from things where created_at = ${count}`',
    'the parameter is of the type number, and PostgreSQL takes string | Date | null.',
  ],
  [
    'sql`select 1 from things where name = ${member.name}`',
    'the parameter is of the type string | undefined, and PostgreSQL takes string | null.',
  ],
  [
    'sql`update things set name = ${member.note} where id = ${id}`',
    'the parameter is of the type string | null, and PostgreSQL takes string.',
  ],
  ['sql`update things set note = ${member.note} where id = ${id}`'],
  [
    'sql`update things set data = ${ids} where id = ${id}`',
    'the parameter is of the type readonly string[], and PostgreSQL takes string | JsonObject.',
  ],
  [
    'sql`insert into parts (id, thing_id) values (${id}, ${id})`',
    'the insert into parts gives no label, which cannot be null.',
  ],
  [
    'sql`with made as (insert into parts (id, label) values (${id}, ${id}) returning id) select from made`',
    'the insert into parts gives no thing_id, which cannot be null.',
  ],
  [
    'sql`insert into parts (id, thing_id, label) values (${id}, ${id}, ${member.note})`',
    'the parameter is of the type string | null, and PostgreSQL takes string.',
  ],
  ['sql<Thing>`select ${columns} from things`', 'the type has name, which the statement does not return.'],
  [
    'sql<Thing>`select id, name from things ${count > 1 ? sql`where id = ${id}` : sql`where nam = ${id}`}`',
    'PostgreSQL refuses this statement: column "nam" does not exist.',
  ],
  [
    'function build(given: number) { return given > 2 ? emptySql : sql`and id = ${given}`; } sql<Thing>`select id, name from things where true ${build(count)}`',
    'the parameter is of the type number, and PostgreSQL takes string.',
  ],
  ['selectThings(sql`id = ${id}`)'],
  ['selectThings(sql`nam = ${id}`)', 'PostgreSQL refuses this statement: column "nam" does not exist.'],
  ['sql<Thing>`select id, name from things where ${buildPrefixCondition(sql`name`, id)}`'],
  [
    'const orders = { name: sql`name`, label: sql`label` }; sql<Thing>`select id, name from things order by ${orders[count > 1 ? "name" : "label"]}`',
    'PostgreSQL refuses this statement: column "label" does not exist.',
  ],
  [
    'sql<{ id: string }>`${ids.map((each) => sql`select ${each}::uuid as id`).reduce((all, next) => sql`${all} union ${next}`)}`',
  ],
  [
    'db.query("select nothing from things")',
    'PostgreSQL refuses this statement: column "nothing" does not exist.',
  ],
  ['sql<Part>`select ${part.columns} from parts where id = ${id}`'],
  ['const { columns: taken } = part; sql<Part>`select ${taken} from parts`'],
  ['sql<Part>`insert into parts ${part.insert({ id, thing_id: id, label: id })} returning ${part.columns}`'],
  [
    'sql<Thing>`select ${part.columns} from parts`',
    'the statement returns label, which the type does not have.',
    'the statement returns thing_id, which the type does not have.',
    'the type has name, which the statement does not return.',
  ],
  [
    'sql`select ${part.wrong} from parts`',
    'PostgreSQL refuses this statement: column "colour" does not exist.',
  ],
  [
    'sql`insert into parts ${part.insert({ id, thing_id: id, label: member.note })}`',
    "Type 'string | null' is not assignable to type 'string | undefined'.",
  ],
  [
    'sql`update parts set ${part.update({ label: member.note })} where id = ${id}`',
    "Type 'string | null' is not assignable to type 'string | undefined'.",
  ],
];

const beginning = `import { buildPrefixCondition, emptySql, sql, type Executor, type Statement } from '#platform/database/database.ts';
import { part } from '../../../test/fixtures/resource.ts';
type Thing = { readonly id: string; readonly name: string };
type Part = { readonly id: string; readonly thing_id: string; readonly label: string };
declare const db: Executor & { query(text: string): void };
declare const [id, ids, now, count]: [string, readonly string[], Date, number];
declare const member: { name?: string; note: string | null };
const columns = sql\`id\`;
const selectThings = (which: Statement) => db.list(sql<Thing>\`select id, name from things where \${which}\`);
`;

describe('a planted fault is found', () => {
  let faults: readonly string[];
  const file = 'src/modules/things/store.ts';
  beforeAll(async () => {
    const store = parseSource(file, `${beginning}${planted.map(([statement]) => statement).join(';\n')};\n`);
    const resource = readSources(root, 'test/fixtures');
    faults = await findStatementFaults(root, [...platform, ...resource, store], client);
  });

  it.each(planted.map(([statement, ...expected], index) => ({ statement, expected, index })))(
    '$statement',
    ({ expected, index }) => {
      const start = `${file}:${index + beginning.split('\n').length}: `;
      const found = faults
        .filter((fault) => fault.startsWith(start))
        .map((fault) => fault.slice(start.length));
      expect(found).toEqual(expected);
    },
  );

  it('and nothing else', () => {
    expect(faults.length).toBe(planted.flatMap(([, ...expected]) => expected).length);
  });
});
