import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const migrations = readdirSync('migrations')
  .filter((name) => name.endsWith('.sql'))
  .toSorted()
  .map((name) => ({ name, text: readFileSync(`migrations/${name}`, 'utf8') }));
const distributed = readFileSync('src/tables/distributed.sql', 'utf8');

/** Finds the last migration that creates a function; undefined if none does. */
function findLastMigration(name: string): string | undefined {
  const creation = new RegExp(`create (?:or replace )?function ${name}\\b`, 'i');
  return migrations.findLast(({ text }) => creation.test(text))?.name;
}

const replacements = [
  ...distributed.matchAll(/(?:-- In place of that of (\S+)\.\n)?create or replace function (\w+)/g),
].map(([, migration, name]) => [name!, migration] as const);

test.each(replacements)(
  'on a distributed database, %s replaces the function of the last migration that creates it',
  (name, migration) => {
    expect(
      migration,
      'a migration changed the function: change src/tables/distributed.sql as well, and name the migration there',
    ).toBe(findLastMigration(name));
  },
);

test('functions that the migrations create are among them', () => {
  expect(replacements.filter(([, migration]) => migration !== undefined).length).toBeGreaterThan(15);
});
