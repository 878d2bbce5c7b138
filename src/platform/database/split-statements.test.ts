import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { migrationsDir } from './migrate.ts';
import { splitStatements } from './split-statements.ts';

test('a semicolon in a text, a name, a comment or a function ends no statement', () => {
  const statements = [
    "select 'one; ''two;'' three'",
    '-- a comment; with a semicolon\nselect "a;b"',
    '/* another; */ select 1 - 1 / 1',
    'create function f() returns trigger language plpgsql as $$ begin; return null; end $$',
    "select $name$ ; $$ ; $name$, '$'",
  ];
  expect(splitStatements(`${statements.join(';\n')};\n-- the end;\n`)).toEqual(statements);
});

test('the migrations, statement by statement, are accepted in their order', async () => {
  const { database: _, ...server } = inject('server');
  const name = `${inject('template')}_split`;
  const admin = new pg.Client(inject('server'));
  await admin.connect();
  await admin.query(`create database ${name}`);
  const client = new pg.Client({ ...server, database: name });
  await client.connect();
  const names = readdirSync(migrationsDir)
    .filter((file) => file.endsWith('.sql'))
    .sort();
  let count = 0;
  for (const file of names)
    for (const statement of splitStatements(readFileSync(new URL(file, migrationsDir), 'utf8'))) {
      await client.query({ text: statement, values: [], name: '' });
      count++;
    }
  await client.end();
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
  expect(count).toBeGreaterThan(500);
});
