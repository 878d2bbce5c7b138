/** The variable that names the workers of the cluster, as `host:port,host:port`. Without it, the tests run on one server. */
export const workersVariable = 'TESSERA_TEST_CITUS_WORKERS';

/** Files that are not run on Citus, because they ask PostgreSQL itself something, or start a server of their own. */
export const leftOutFiles: Readonly<Record<string, string>> = {
  'test/statements.test.ts': 'It prepares every statement on one server to learn its types.',
  'src/tables/tables.test.ts': 'It compares the declared tables with the catalogue of one server.',
  'src/platform/database/**': 'They test the connection to one server, its roles and its migrations.',
  'src/platform/distribution/**': 'They test what plain PostgreSQL is refused.',
  'src/platform/backups/**': 'They copy the embedded server.',
  'src/platform/telemetry/telemetry.test.ts': 'It starts the embedded server.',
  'test/process/{commands,descriptors,service,start,start-faults,stopping,webhooks,webhook-distribution}.test.ts':
    'They start the embedded server.',
  'test/operating/{archive,archive-disk,pgbackrest,rolling-upgrade}.test.ts':
    'They start servers of their own.',
  'test/faults/{full-disk,stalled-log}.test.ts': 'They start the embedded server.',
  'test/releases/**': 'They migrate the databases of earlier releases, on one server.',
  'src/modules/operations/exports/simultaneous-exports.test.ts':
    'It multiplies jobs by a statement over several keys.',
  'test/contributing.test.ts': 'It starts the embedded server, in a copy of the repository.',
  'test/reads-that-write.test.ts': 'It notes what is written by triggers of one server.',
  'packages/**': 'They start the embedded server.',
  'client/**': 'They use no database.',
  'tidy.test.ts': 'It reads the source.',
};

const oneTransaction = 'It tells transactions apart by a trigger of one server.';
const wholeRows = 'It looks for a text in whole rows, which nodes do not pass.';

/** Single tests that are not run on Citus, because they ask PostgreSQL itself something: by file, the name of the test and the reason. */
export const leftOutTests: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'test/journeys/burst.test.ts': {
    'an organisation with 60 new jobs delays the matches of another by one computation at most':
      'It notes what is written by a trigger of one server.',
  },
  'src/modules/income/reads/making/read-member.test.ts': {
    'withdrawn while the payment is settled prevents the read, and the amount is owed back': oneTransaction,
  },
  'src/modules/income/reads/marketplace/create-marketplace-read.test.ts': {
    'is listed by the task that finishes its read, as it was offered': oneTransaction,
    'is bought once by its Idempotency-Key, sent again before its read was finished': oneTransaction,
    'is bought once by its Idempotency-Key, sent again after its read was finished': oneTransaction,
    'is bought once by its Idempotency-Key, sent again after its read was finished, and the member withdrew the consent':
      oneTransaction,
    'is listed once if the same payment is sent again after that, and a paid read is not listed':
      oneTransaction,
  },
  'src/modules/income/reads/marketplace/propose-read.test.ts': {
    'is paid once by one Idempotency-Key, and by two payments at once: the other one is owed back':
      oneTransaction,
    'whose payment a killed process left behind is finished by the task, under its id': oneTransaction,
  },
  'test/mcp/statements.test.ts': {
    'the look-up of a grant finds one row of each table by its primary key':
      'It reads the plan of one server.',
  },
  'test/mcp/paid.test.ts': {
    'was settled by a process that was lost, and is owed back: the agent may spend it again': oneTransaction,
  },
  'test/payments/attacks.test.ts': {
    'of the member while a payment is settled prevents the read, and the amount is owed back': oneTransaction,
    'of the organisation while a payment is settled prevents the read, and the amount is owed back':
      oneTransaction,
  },
  'src/modules/income/books/guards.test.ts': {
    'income and paid payouts that are posted with an older snapshot, which a new checkpoint is not in':
      'Nodes have no older snapshots: each statement there sees what is committed.',
  },
  'src/modules/operations/webhooks/personal-data.test.ts': {
    'an export has what organisations were sent about the member, and an erasure leaves nothing of it':
      wholeRows,
  },
  'src/modules/operations/webhooks/subscriptions/create-subscription.test.ts': {
    'no table contains the secret in readable form': wholeRows,
  },
  'src/modules/matching/matches/index/match-index.test.ts': {
    'follows every node from a mark of its own, whatever numbers the others have reached':
      'It imitates two nodes on one server.',
  },
  'src/modules/matching/matches/lists/store.test.ts': {
    'two pages and their count read few blocks of 20,000 matches, whatever the filter':
      'It counts the blocks that one server reads.',
  },
  'src/modules/credentials/credentials/revocation/status-lists.test.ts': {
    'a list takes the same space however many entries are taken and revoked':
      'It measures the files of a table on one server.',
    'revocations of different blocks do not wait for each other, and none of the same block is lost':
      'A change of a table that is on every node waits for the others (docs/known-limits.md).',
    'transactions that revoke the same credentials in different orders do not deadlock':
      'It waits until two statements are blocked; changes of a table that is on every node wait one after the other.',
  },
};
