/** Files that are not run on Citus, because they ask PostgreSQL itself something, or start a server of their own. */
export const leftOutFiles: Readonly<Record<string, string>> = {
  'test/statements.test.ts': 'It prepares every statement on one server to learn its types.',
  'src/tables/tables.test.ts': 'It compares the declared tables with the catalogue of one server.',
  'src/platform/database/**': 'They test the connection to one server, its roles and its migrations.',
  'src/platform/distribution/**': 'They test what plain PostgreSQL is refused.',
  'src/platform/backups/**': 'They copy the embedded server.',
  'packages/**': 'They start the embedded server.',
  'client/**': 'They use no database.',
  'tidy.test.ts': 'It reads the source.',
};
