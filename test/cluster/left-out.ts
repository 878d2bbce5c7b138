/** The variable that names the workers of the cluster, as `host:port,host:port`. Without it, the tests run on one server. */
export const workersVariable = 'TESSERA_TEST_CITUS_WORKERS';

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

/** Single tests that are not run on Citus, because they ask PostgreSQL itself something: by file, the name of the test and the reason. */
export const leftOutTests: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'src/modules/credentials/credentials/revocation/status-lists.test.ts': {
    'a list takes the same space however many entries are taken and revoked':
      'It measures the files of a table on one server.',
    'revocations of different blocks do not wait for each other, and none of the same block is lost':
      'A change of a table that is on every node waits for the others (docs/known-limits.md).',
    'transactions that revoke the same credentials in different orders do not deadlock':
      'It waits until two statements are blocked; changes of a table that is on every node wait one after the other.',
  },
};
