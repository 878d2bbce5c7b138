import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listDeclaredMethods, listFunctions } from './scripts/tidy/functions.ts';
import { parseSource } from './scripts/tidy/source.ts';
import { parseSql } from './scripts/statements/parse-sql.ts';
import { readStatements } from './scripts/statements/read-statements.ts';
import { listTableUses } from './scripts/statements/table-uses.ts';
import { verbs } from './scripts/tidy/verbs.ts';
import { specification } from './test/specification.ts';
import { findAllFaults } from './tidy.ts';

type Tree = Readonly<Record<string, string>>;

const rows = specification.map(
  ({ method, path: where, auth }) => `  pending('${method}', '${where}', '${auth}'),`,
);
const buildTable = (lines: readonly string[]) => `export const specifiedRows = [\n${lines.join('\n')}\n];\n`;
const buildOperation = (name: string, constant: string) =>
  `export const ${constant} = operation({ name: '${name}' });\n`;

/** A small project without faults: one operation with all its layers, a table, and migrations. */
const clean: Tree = {
  'package.json': '{ "devDependencies": { "@types/node": "24", "fast-check": "4" } }',
  'src/app/main.js':
    "import { app } from './app.ts';\nconst { env } = process;\nexport const port = process.env['PORT'] ?? env;\n",
  'src/app/app.ts': "import { specifiedRows } from '../tables/api.ts';\nexport const app = specifiedRows;\n",
  'src/tables/api.ts': `import * as jobs from '#modules/matching/jobs';\n${buildTable(rows)}`,
  'src/lib/money.ts': "import { cursor } from '#lib/cursor.ts';\n",
  'src/platform/clock.ts': "import '#lib/money.ts';\nexport const readTime = () => new Date();\n",
  'src/platform/queue/queue.ts':
    "import { sql } from '#platform/database/database.ts';\nexport const take = sql`select 1`;\n",
  'src/modules/matching/jobs/index.ts':
    "export { readJob } from './read-job.ts';\nexport { personalData } from './erasure.ts';\n",
  'src/modules/matching/jobs/erasure.ts': 'export const personalData = 1;\n',
  'src/tables/personal-data.ts':
    "import * as jobs from '#modules/matching/jobs';\nexport const personalData: PersonalData = {\n  jobs: jobs.personalData,\n};\n",
  'src/modules/matching/jobs/rules.ts': [
    "import { traitCodes } from '#modules/measurement/traits';",
    "import { money } from '#lib/money.ts';",
    "import { sum } from './sum.ts';",
    '// Rules must not await; new Date() and Math.random() are for other files.',
    "export const find = (date: string) => [new Date(date), `await ${sum} new Date()`, 'Date.now()', /await/, 4 / 2];",
  ].join('\n'),
  'src/modules/matching/jobs/sum.ts': 'export const sum = 1;\n',
  'src/modules/matching/jobs/wire.ts':
    "import { find } from './rules.ts';\nimport { schema } from '#platform/operation.ts';\n",
  'src/modules/matching/jobs/store.ts': [
    "import type { Job } from './rules.ts';",
    "import { sql } from '#platform/database/database.ts';",
    'export const insertJob = sql<Job>`insert into jobs (member_id) values (1)`;',
  ].join('\n'),
  'src/modules/matching/jobs/read-job.ts': `import { insertJob } from './store.ts';\n${buildOperation('jobs.readJob', 'readJob')}`,
  'src/modules/matching/jobs/read-job.test.ts':
    "import { harness } from '#test/harness.ts';\nexport const at = Date.now();\n",
  'src/modules/measurement/traits/index.ts': 'export const traitCodes = [];\n',
  'src/tables/tables.ts': "export const tables = {\n  jobs: {\n    owns: ['jobs'],\n  },\n};\n",
  'migrations/0001_jobs.sql': 'create table jobs (\n  id uuid primary key,\n  member_id uuid not null\n);\n',
  'migrations/0002_more.sql': 'alter table jobs add column title text; -- the member_id stays\n',
};

function buildFiles(prefix: string, count: number): Tree {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}file-${index}.ts`, '']));
}

function findFaults(changes: Tree): string[] {
  const root = mkdtempSync(path.join(tmpdir(), 'tidy-'));
  try {
    for (const [file, text] of Object.entries({ ...clean, ...changes })) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), text);
    }
    return findAllFaults(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

it('finds nothing in a project without faults', () => {
  expect(findFaults({})).toEqual([]);
});

const misplacedImports: readonly (readonly [what: string, file: string, text: string, sentence: string])[] = [
  [
    'lib from the platform',
    'src/lib/cursor.ts',
    "import { now } from '#platform/clock.ts';",
    'lib imports only lib',
  ],
  [
    'lib from a module',
    'src/lib/cursor.ts',
    "export { codes } from '../modules/organisations/orgs/index.ts';",
    'only the tables and pages import modules',
  ],
  [
    'the platform from a module',
    'src/platform/mail.ts',
    "const orgs = await import('#modules/organisations/orgs');",
    'only the tables',
  ],
  [
    'rules from the platform',
    'src/modules/matching/jobs/rules.ts',
    "import type { Clock } from '#platform/clock.ts';",
    'rules import lib',
  ],
  [
    'rules from the store',
    'src/modules/matching/jobs/rules.ts',
    "import { insertJob } from './store.ts';",
    'rules import lib',
  ],
  [
    'a file that rules use from the platform',
    'src/modules/matching/jobs/sum.ts',
    "import { now } from '#platform/clock.ts';",
    'rules import lib',
  ],
  [
    'wire from the store',
    'src/modules/matching/jobs/wire.ts',
    "import type { Row } from './store.ts';",
    'wire imports lib',
  ],
  [
    'wire from the database',
    'src/modules/matching/jobs/wire.ts',
    "import { sql } from '#platform/database/database.ts';",
    'wire imports lib',
  ],
  [
    'the store from values of rules',
    'src/modules/matching/jobs/store.ts',
    "import { find } from './rules.ts';",
    'a store imports lib',
  ],
  [
    'the store from an operation',
    'src/modules/matching/jobs/store.ts',
    "import type { readJob } from './read-job.ts';",
    'a store imports',
  ],
  [
    'the store from the queue',
    'src/modules/matching/jobs/store.ts',
    "import { take } from '#platform/queue/queue.ts';",
    'a store imports lib',
  ],
  [
    'a module from one below it',
    'src/modules/measurement/traits/x.ts',
    "import { readJob } from '#modules/matching/jobs';",
    'traits must not import jobs',
  ],
  [
    'a module past its index, by its folder',
    'src/modules/matching/jobs/sum.ts',
    "import { scale } from '../../measurement/traits/scale.ts';",
    'bypasses the index.ts',
  ],
  [
    'a module past its index, by the alias',
    'src/modules/matching/jobs/read-job.ts',
    "import {\n  scale,\n} from '#modules/measurement/traits/scale';",
    'bypasses the index.ts',
  ],
  [
    'a module past its index, from a table',
    'src/tables/tools.ts',
    "import { readJob } from '../modules/matching/jobs/read-job.ts';",
    'bypasses the index.ts',
  ],
  [
    'a module past its index, from a test',
    'src/modules/matching/jobs/read-job.test.ts',
    "import { scale } from '../../measurement/traits/scale.ts';",
    'bypasses the index.ts',
  ],
  [
    'a module from a table of the service',
    'src/modules/matching/jobs/sum.ts',
    "import { specifiedRows } from '../../../tables/api.ts';",
    'only the composition of the service imports src/tables/api.ts',
  ],
  [
    'a table from a table',
    'src/tables/tools.ts',
    "import { specifiedRows } from './api.ts';",
    'only the composition of the service imports src/tables/api.ts',
  ],
  [
    'a demo from main',
    'src/demo/walk.ts',
    "import '../app/main.js';",
    'only the composition of the service imports src/app/main.js',
  ],
  [
    'a file beside the tables from a module',
    'src/helpers.ts',
    "import { readJob } from '#modules/matching/jobs';",
    'only the tables',
  ],
  [
    'a source from a test',
    'src/modules/matching/jobs/store.ts',
    "import { at } from './read-job.test.ts';",
    'src must not import',
  ],
  [
    'a source from the harness',
    'src/modules/matching/jobs/sum.ts',
    "import { harness } from '#test/harness.ts';",
    'src must not import test/',
  ],
];

it.each(misplacedImports)('finds a wrong import: %s', (_, file, text, sentence) => {
  const faults = findFaults({
    'src/modules/measurement/traits/scale.ts': '',
    [file]: `// The import follows.\n${text}\n`,
  });
  const line = 1 + text.split('\n').length;
  expect(faults.filter((each) => each.startsWith(`${file}:`))).toEqual([
    expect.stringContaining(`${file}:${line}: `),
  ]);
  expect(faults).toContainEqual(expect.stringContaining(sentence));
});

const planted: readonly (readonly [string, Tree, string])[] = [
  [
    'an await in rules',
    { 'src/modules/measurement/traits/rules.ts': 'const a = 1;\nawait a;\n' },
    'src/modules/measurement/traits/rules.ts:2: rules are pure',
  ],
  [
    'a clock in rules',
    { 'src/modules/measurement/traits/rules.ts': 'performance.now();\n' },
    'src/modules/measurement/traits/rules.ts:1: rules are pure',
  ],
  [
    'random numbers in a file that rules use',
    { 'src/modules/matching/jobs/sum.ts': 'export const sum = Math.random();\n' },
    'sum.ts:1: rules are pure',
  ],
  [
    'a random id in rules',
    { 'src/modules/measurement/traits/rules.ts': '`${randomUUID()}`;\n' },
    'rules.ts:1: rules are pure',
  ],
  [
    'SQL in an operation file',
    { 'src/modules/matching/jobs/sql.ts': '\nsql<Row<X>>`select`;\n' },
    'src/modules/matching/jobs/sql.ts:2: SQL belongs',
  ],
  ['a query outside stores', { 'src/app/app.ts': 'pool.query(text);\n' }, 'src/app/app.ts:1: SQL belongs'],
  [
    'an operation without its test',
    { 'src/modules/measurement/traits/list-traits.ts': buildOperation('traits.listTraits', 'listTraits') },
    'no test',
  ],
  [
    'an operation under another constant',
    { 'src/modules/matching/jobs/read-job.ts': buildOperation('jobs.readJob', 'getJob') },
    'must be called readJob',
  ],
  [
    'an operation under another name',
    { 'src/modules/matching/jobs/read-job.ts': buildOperation('jobs.read', 'readJob') },
    "'jobs.readJob'",
  ],
  ['a long file', { 'src/web/app.css': 'a {}\n'.repeat(401) }, 'src/web/app.css:401: 401 lines'],
  [
    'a long file of a package',
    { 'packages/a/b.ts': '\n'.repeat(400) + 'a;' },
    'packages/a/b.ts:401: 401 lines',
  ],
  [
    'a package that imports the service',
    { 'packages/a/b.ts': "import { money } from '../../src/lib/money.ts';\n" },
    'packages/a/b.ts:1: a package imports nothing outside packages/a/, not src/lib/money.ts.',
  ],
  [
    'the environment outside main',
    { 'src/platform/config.ts': '\nprocess.env.PORT;\n' },
    'src/platform/config.ts:2: only src/app/main.js',
  ],
  [
    'the environment by destructuring',
    { 'src/app/app.ts': 'const { env } = process;\n' },
    'src/app/app.ts:1: only src/app/main.js',
  ],
  [
    'a commit apart from the transaction of an operation that nobody has judged',
    { 'src/modules/matching/jobs/erasure.ts': '\nserviceDatabase(services);\n' },
    'src/modules/matching/jobs/erasure.ts:2: say in scripts/tidy/independent-commits.ts',
  ],
  [
    'a client of the database outside the platform',
    { 'src/modules/matching/jobs/erasure.ts': "import pg from 'pg';\n\nnew pg.Client();\n" },
    'src/modules/matching/jobs/erasure.ts:3: clients and pools',
  ],
  [
    'a clock in a module',
    { 'src/modules/matching/jobs/erasure.ts': 'Date.now();\n' },
    'src/modules/matching/jobs/erasure.ts:1: time comes',
  ],
  [
    'a clock in the platform',
    { 'src/platform/telemetry/log.ts': 'new Date();\n' },
    'src/platform/telemetry/log.ts:1: time comes',
  ],
  [
    'a second reader of times',
    { 'src/web/page.ts': "export const at = Date.parse('2026');\n" },
    'src/web/page.ts:1: times, addresses, domains and ids',
  ],
  [
    'a second reader of addresses',
    { 'src/web/page.ts': "export const readHost = (email: string) => email.split('@')[1];\n" },
    'src/web/page.ts:1: times, addresses, domains and ids',
  ],
  [
    'a second reader of ids',
    { 'src/web/page.ts': 'export const readId = (org_id: string) => org_id.toLowerCase();\n' },
    'src/web/page.ts:1: times, addresses, domains and ids',
  ],
  ['no api table', { 'src/tables/api.ts': '' }, 'src/tables/api.ts:1: the table'],
  [
    'a missing row',
    { 'src/tables/api.ts': buildTable(rows.slice(1)) },
    'row is missing: POST /auth/register public',
  ],
  [
    'a row that is only a comment',
    { 'src/tables/api.ts': buildTable([`//${rows[0]}`, ...rows.slice(1)]) },
    'row is missing: POST /auth/register',
  ],
  [
    'a strange row',
    { 'src/tables/api.ts': buildTable(["row('GET', '/x', 'jwt', a.b),", ...rows]) },
    'does not have this row, or has it only once: GET /x jwt',
  ],
  [
    'a row twice',
    { 'src/tables/api.ts': buildTable([...rows, rows[0]!]) },
    'does not have this row, or has it only once: POST /auth/register',
  ],
  [
    'rows in another order',
    { 'src/tables/api.ts': buildTable(rows.toReversed()) },
    "src/tables/api.ts:2: this row is not in the specification's order",
  ],
  [
    'a gap in the migrations',
    { 'migrations/0004_late.sql': '' },
    'migrations/0004_late.sql:1: the next migration is 0003',
  ],
  [
    'a migration number twice',
    { 'migrations/0002_other.sql': '' },
    'migrations/0002_other.sql:1: the next migration is 0003',
  ],
  [
    'a module outside the order',
    { 'src/modules/matching/weather/index.ts': '' },
    'the module weather is missing',
  ],
  [
    'subfolders that import each other',
    {
      'src/modules/matching/jobs/lists/list.ts':
        "import { term } from '../terms/term.ts';\nexport const list = term;\n",
      'src/modules/matching/jobs/lists/order.ts': 'export const order = 1;\n',
      'src/modules/matching/jobs/terms/term.ts':
        "import { order } from '../lists/order.ts';\nexport const term = order;\n",
    },
    'these folders import each other in a circle',
  ],
  ['a module outside the groups', { 'src/modules/weather/index.ts': '' }, 'the module is in no group'],
  [
    'personal data without erasure',
    { 'src/modules/matching/jobs/erasure.ts': '', 'src/modules/matching/jobs/index.ts': '' },
    '0001_jobs.sql:1: jobs has a member_id',
  ],
  [
    'personal data added later',
    { 'migrations/0003_x.sql': 'create table notes (id uuid);\nalter table notes add member_id uuid;' },
    '0003_x.sql:2: notes',
  ],
  [
    'a module with personal data that the table leaves out',
    { 'src/tables/personal-data.ts': 'export const personalData: PersonalData = {};\n' },
    'src/tables/personal-data.ts:1: the module jobs holds personal data',
  ],
  [
    'a folder with too many files',
    buildFiles('src/lib/', 26),
    'src/lib:1: 27 source files; a folder has at most 25',
  ],
  [
    'a circle of imports',
    {
      'src/lib/a.ts': "import { b } from './b.ts';\n",
      'src/lib/b.ts': "import { c } from './c.ts';\n",
      'src/lib/c.ts': "import { a } from './a.ts';\n",
    },
    'src/lib/a.ts:1: these files import each other in a circle: src/lib/a.ts → src/lib/b.ts → src/lib/c.ts → src/lib/a.ts.',
  ],
  [
    'a circle of types',
    {
      'src/lib/a.ts': "import type { B } from './b.ts';\n",
      'src/lib/b.ts': "import { type A } from './a.ts';\n",
    },
    'in a circle: src/lib/a.ts → src/lib/b.ts → src/lib/a.ts.',
  ],
  [
    'a module that exports more than sixty names',
    {
      'src/modules/measurement/archetypes/index.ts': `export const traitCodes = [];\nexport { ${Array.from({ length: 61 }, (_, place) => `n${place}`).join(', ')} } from './n.ts';\n`,
    },
    'src/modules/measurement/archetypes/index.ts:1: exports 61 names; this module may export 60.',
  ],
  [
    'an index that does not name what it exports',
    {
      'src/modules/measurement/traits/index.ts':
        "export const traitCodes = [];\nexport * from './n.ts';\nexport * as others from './n.ts';\n",
    },
    'src/modules/measurement/traits/index.ts:2: the index of a module names what it exports.',
  ],
  [
    'a devDependency in src',
    { 'src/lib/random.ts': "\nimport fc from 'fast-check';\n" },
    'src/lib/random.ts:2: src must not import fast-check',
  ],
  [
    'a part of a scoped devDependency in src',
    { 'src/lib/random.ts': "import type { Buffer } from '@types/node/buffer';\n" },
    'src/lib/random.ts:1: src must not import @types/node',
  ],
  [
    'a variable of a module',
    { 'src/lib/count.ts': '\nlet calls = 0;\nexport const countCall = () => ++calls;\n' },
    'src/lib/count.ts:2: calls is state of the whole module',
  ],
  [
    'a map of a module that changes',
    {
      'src/lib/count.ts':
        'const seen = new Map<string, number>();\nexport const add = () => seen.set("a", 1);\n',
    },
    'src/lib/count.ts:1: seen is state of the whole module',
  ],
  [
    'an array of a module that grows',
    { 'src/lib/count.ts': 'export const seen: string[] = [];\nexport const add = () => seen.push("a");\n' },
    'src/lib/count.ts:1: seen is state of the whole module',
  ],
  [
    'a function whose name is a noun',
    { 'test/helpers.ts': '\nexport const fixture = () => 1;\n' },
    'test/helpers.ts:2: a function is named verb + object (scripts/tidy/verbs.ts), not fixture.',
  ],
  [
    'a function whose name only begins like a verb',
    { 'scripts/x.ts': 'async function matchOf(job: Job) {}\n' },
    'scripts/x.ts:1: a function is named verb + object (scripts/tidy/verbs.ts), not matchOf.',
  ],
  [
    'a method whose name is a noun',
    {
      'src/lib/job.ts':
        'export type Job = {\n  readonly id: string;\n  readonly list: () => void;\n  payload(): string;\n};\n',
    },
    'src/lib/job.ts:4: a function is named verb + object (scripts/tidy/verbs.ts), not payload.',
  ],
  [
    'a property whose type is a function and whose name is a noun',
    { 'src/lib/job.ts': 'export interface Job {\n  readonly payload?: (id: string) => string;\n}\n' },
    'src/lib/job.ts:2: a function is named verb + object (scripts/tidy/verbs.ts), not payload.',
  ],
  [
    'an update that is named after its result',
    { 'src/modules/matching/jobs/store.ts': '\nexport function updateJobClosed() {}\n' },
    'src/modules/matching/jobs/store.ts:2: updateJobClosed has a verb of the domain',
  ],
  [
    'a banned phrase in a comment',
    { 'test/helpers.ts': '/**\n * For whoever asks.\n */\n' },
    'test/helpers.ts:2: “whoever” is hard to read',
  ],
  [
    'a banned phrase over two lines of a comment',
    { 'test/helpers.ts': '// A job is no job\n// that was closed.\n' },
    'test/helpers.ts:1: “is no job that” is hard to read',
  ],
  [
    'a banned phrase in a string',
    { 'test/helpers.ts': 'const text = `a ${b} works no more`;\n' },
    'test/helpers.ts:1: “works no more” is hard to read',
  ],
  [
    'the phrase “, also if”',
    { 'README.md': '# A\n\nIt is refused, also if it is new.\n' },
    'README.md:3: “, also if” is hard to read',
  ],
  [
    'the phrase “are no administrators”',
    { 'README.md': '# A\n\nUsers who are no administrators.\n' },
    'README.md:3: “are no administrators” is hard to read',
  ],
  [
    'the phrase “is to change”',
    { 'README.md': '# A\n\nThe address is to change.\n' },
    'README.md:3: “is to change” is hard to read',
  ],
  [
    'the phrase “the present”',
    { 'README.md': '# A\n\nIt ends the present session.\n' },
    'README.md:3: “the present” is hard to read',
  ],
  [
    'the phrase “some ”',
    { 'README.md': '# A\n\nIt takes some 10 ms.\n' },
    'README.md:3: “some ” is hard to read',
  ],
  ['the phrase “e-mail”', { 'README.md': '# A\n\nAn e-mail.\n' }, 'README.md:3: “e-mail” is hard to read'],
  [
    'the phrase “second factor”',
    { 'README.md': '# A\n\nA second factor.\n' },
    'README.md:3: “second factor” is hard to read',
  ],
  [
    'the phrase “signs in”',
    { 'README.md': '# A\n\nA user signs in.\n' },
    'README.md:3: “signs in” is hard to read',
  ],
  [
    'a docstring that opens with Keeps',
    { 'test/helpers.ts': '/** Keeps a row. */\n' },
    'test/helpers.ts:1: “/** Keeps” is hard to read',
  ],
  [
    'a banned phrase in a document',
    { 'README.md': '# A\n\nComputed anew.\n' },
    'README.md:3: “anew” is hard to read',
  ],
  [
    'a term of the product in a comment of lib',
    { 'src/lib/money.ts': '\n// What a payout costs.\n' },
    'src/lib/money.ts:2: “payout” is a term of the product',
  ],
  [
    'a term of the product in a string of the platform',
    { 'src/platform/clock.ts': "export const path = '/orgs/me/jobs';\n" },
    'src/platform/clock.ts:1: “jobs” is a term of the product',
  ],
  [
    'a term of the product within a name of the platform',
    { 'src/platform/clock.ts': 'export const findJobLimits = 1;\n' },
    'src/platform/clock.ts:1: “Job” is a term of the product',
  ],
  [
    'a term of two words in the platform',
    { 'src/platform/clock.ts': 'export const match_ids = 1;\n' },
    'src/platform/clock.ts:1: “match_ids” is a term of the product',
  ],
  [
    'a term in a file that may use another one',
    { 'src/platform/mcp/payments.ts': '// The price of a trait.\n' },
    'src/platform/mcp/payments.ts:1: “trait” is a term of the product',
  ],
];

it.each(planted)('finds %s', (_, changes, sentence) => {
  expect(findFaults(changes)).toContainEqual(expect.stringContaining(sentence));
});

it('allows tests to import test helpers, devDependencies and each other', () => {
  const text = "import fc from 'fast-check';\nimport { harness } from '#test/harness.ts';\n";
  expect(
    findFaults({ 'src/modules/matching/jobs/read-job.test.ts': text, ...buildFiles('test/', 40) }),
  ).toEqual([]);
});

it('allows terms of the product in tests, in files with an exception, and within other words', () => {
  expect(
    findFaults({
      'src/lib/money.test.ts': '// A job.\n',
      'src/lib/refusals.ts': '// A job.\n',
      'src/platform/mcp/payments.ts': '// A price.\n',
      'src/platform/queue/task.ts': '// A jobber matches an If-Match header.\n',
    }),
  ).toEqual([]);
});

it('reads banned phrases neither in code nor in the code of documents', () => {
  const code = 'const anew = 1;\nexport const told = anew + news.door;\n';
  const text = '# A\n\nThe word `anew`.\n\n```ts\nconst told = 1;\n```\n';
  expect(findFaults({ 'test/helpers.ts': code, 'README.md': text })).toEqual([]);
});

it('finds functions in declarations and constants, and nothing else', () => {
  const text = [
    'function a() {}',
    'export async function* b<T>() {}',
    'const c = () => 1;',
    'const d = async (x: () => void): Promise<{ y: 1 }> => {};',
    'const e: (x: Map<string, () => void>) => void = (x) => x;',
    'const f = <T extends () => void>(x: T) => x;',
    'let g = function () {};',
    'const h = x => x;',
    'const i = (x: number) as const;',
    'const j = wrap(() => 1);',
    'const k: { l: () => void } = { l: () => 1 };',
    'const m = (n) ? (o) : (p) => q;',
    '// const r = () => 1;',
    "const s = 'const t = () => 1';",
  ].join('\n');
  expect(listFunctions(parseSource('x.ts', text)).map(({ name, line }) => `${line} ${name}`)).toEqual(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name, index) => `${index + 1} ${name}`),
  );
});

it('allows constants of a module, collections inside functions, and a WeakMap', () => {
  const text = [
    "const codes = new Set(['a']);",
    'const known = new WeakMap<object, number>();',
    'export function add(key: object) {',
    '  let count = codes.size;',
    '  const seen = new Set<object>();',
    '  seen.add(key);',
    '  known.set(key, ++count);',
    '}',
  ];
  expect(findFaults({ 'src/lib/add.ts': text.join('\n') })).toEqual([]);
});

it('finds the methods of types and interfaces, and no other members', () => {
  const text = [
    'export type A<T> = {',
    '  readonly a: string;',
    '  b(): void;',
    '  c?(this: void, x: T): { readonly d: () => void };',
    '  readonly e: (x: T) => void;',
    '  readonly f?: ({ g }: T, h: string) => Promise<void>;',
    '  readonly i: (string | number)[];',
    '  readonly j: <Row>(row: Row) => Row;',
    '  k<Row>(...rows: Row[]): Row;',
    '};',
    'interface B { l(): void }',
    'type C = D & { m: () => void };',
  ].join('\n');
  expect(listDeclaredMethods(parseSource('x.ts', text)).map(({ name, line }) => `${line} ${name}`)).toEqual([
    '3 b',
    '4 c',
    '5 e',
    '6 f',
    '8 j',
    '9 k',
    '11 l',
    '12 m',
  ]);
});

it('lists its verbs in alphabetical order', () => {
  expect([...verbs]).toEqual([...verbs].toSorted());
});

it('distinguishes code from comments, strings, templates and regular expressions', () => {
  const text = "a / b / c; /x'/g; `t ${ {k: 'await'} } await`; // await\n'it\\'s'; /* ' */ b";
  const { bare, code } = parseSource('x.ts', text);
  expect(code).toBe("a / b / c; /   g; `  ${ {k: '     '} }      `;         \n'     ';         b");
  expect(bare).toBe(text.replace('// await', '        ').replace("/* ' */", '       '));
});

it('finds nothing in this repository', () => {
  expect(findAllFaults(import.meta.dirname)).toEqual([]);
});

describe('the owners of tables', () => {
  const listUses = (text: string) =>
    readStatements([{ path: 'store.ts', text }])
      .flatMap(({ variants }) => variants)
      .flatMap((variant) => parseSql(variant.text).flatMap(({ tree }) => listTableUses(tree, variant.text)))
      .map(({ use, name }) => `${use} ${name}`);

  it.each([
    ['select a from jobs', ['read jobs']],
    ['select a from jobs as j, unnest(${ids}::uuid[]) as id, members', ['read jobs', 'read members']],
    [
      'select a from jobs join lateral (select b from members m where f(m.a, m.b)) x on f(x.a, 1) = 2, users',
      ['read jobs', 'read members', 'read users'],
    ],
    ['select a from (jobs join members using (id)) where b in (select c from users)', null],
    [
      'with one as (select 1 from jobs), two as materialized (select 2 from one) select a from one, two',
      ['read jobs'],
    ],
    ['with recursive up (id) as (select 1 union select id from up) select from up', []],
    ['select substring(a from 2 for 3), extract(day from b) where a is distinct from b', []],
    ['select \'from users\', "from" -- from members\n from "jobs"', ['read jobs']],
    ['table jobs', ['read jobs']],
    [
      'insert into jobs (a) select b from members on conflict (a) do update set a = 1',
      ['write jobs', 'read members'],
    ],
    ['update only jobs set a = 1, b = 2 from members, users', ['write jobs', 'read members', 'read users']],
    ['delete from jobs using members m, users where a = 1', ['write jobs', 'read members', 'read users']],
    [
      'merge into jobs using members on a = b when matched then update set a = 1',
      ['write jobs', 'read members'],
    ],
    ['truncate table jobs, members', ['write jobs', 'write members']],
    ['lock table jobs in share mode', ['write jobs']],
    [
      'select a from jobs j join members on b for no key update of j skip locked',
      ['read jobs', 'read members', 'lock jobs'],
    ],
    [
      'select a from jobs where b in (select c from members) for share',
      ['read jobs', 'read members', 'lock jobs'],
    ],
    [
      'update jobs set a = 1 where b in (select c from members for update)',
      ['write jobs', 'read members', 'lock members'],
    ],
  ] as const)('reads what a statement does: %s', (text, uses) => {
    const expected = uses ?? ['read jobs', 'read members', 'read users'];
    expect(listUses(`sql<{ readonly a: () => void; b: Map<string, string> }>\`${text}\``)).toEqual(expected);
  });

  it('reads fragments inside a statement and beside it, and the texts of queries', () => {
    expect(
      listUses(
        'sql`with a as (${sql`insert into users (b) values (${c})`}) select ${sql`(select from a)`}`;',
      ),
    ).toEqual(['write users']);
    expect(listUses('const joined = sql`from jobs as j`; sql`select ${joined} for share of j`')).toEqual([
      'read jobs',
      'lock jobs',
    ]);
    expect(listUses("client.query<Row>('select from users'); client.query(`select from jobs`);")).toEqual([
      'read users',
      'read jobs',
    ]);
    expect(listUses('log(`select from users`); other.sql`select from users`')).toEqual([]);
  });

  type Owners = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

  /** Traits publishes a view, and jobs reads it. */
  const traits = { owns: ['raw'], publishes: ['vectors'] };
  const jobs = { owns: ['jobs'], reads: ['vectors'] };
  const shared: Tree = {
    'src/modules/matching/jobs/store.ts': 'export const a = sql`select from jobs join vectors on b`;\n',
    'migrations/0003_traits.sql': 'create table raw (id uuid);\ncreate view vectors as select id from raw;\n',
  };
  const store = 'src/modules/matching/jobs/store.ts';
  const more = 'migrations/0004_more.sql';

  function findFaultsWithOwners(changes: Tree, owners: Owners = { traits, jobs }): string[] {
    const modules = Object.entries(owners).map(([module, lists]) => {
      const lines = Object.entries(lists).map(([list, names]) => `    ${list}: ['${names.join("', '")}'],\n`);
      return `  '${module}': {\n${lines.join('')}  },\n`;
    });
    const text = `export const tables = {\n${modules.join('')}};\n`;
    return findFaults({ ...shared, 'src/tables/tables.ts': text, ...changes });
  }

  it('finds nothing where a module reads its own tables and the views that it declares', () => {
    expect(findFaultsWithOwners({})).toEqual([]);
  });

  const header = 'returns trigger language plpgsql as $$';
  const f = `create function f() ${header}`;
  const plantedUses: readonly (readonly [string, Tree, string, Owners?])[] = [
    ['a foreign read', { [store]: '\nsql`select from raw, vectors`' }, `${store}:2: only traits reads raw`],
    ['a foreign write', { [store]: 'sql`delete from raw using vectors`' }, 'only traits writes raw'],
    ['a write to a view', { [store]: 'sql`delete from vectors`' }, 'vectors is a view'],
    ['an unknown table', { [store]: 'sql`select from moon`' }, 'moon is not in src/tables/tables.ts'],
    [
      'a table without a name',
      { [store]: 'sql`select from ${a}`' },
      'cannot read this statement: syntax error at or near "$1"',
    ],
    [
      'a foreign read of the platform',
      { 'src/platform/a.ts': 'sql`select from jobs`' },
      'only jobs reads jobs',
    ],
    ['an undeclared read', {}, 'jobs reads vectors: declare', { traits, jobs: { owns: ['jobs'] } }],
    [
      'an unused declared read',
      { [store]: 'sql`select from jobs`' },
      'src/tables/tables.ts:8: nothing of jobs reads vectors',
    ],
    [
      'a view that nobody reads',
      { [store]: '' },
      'no other module reads vectors',
      { traits, jobs: { owns: ['jobs'] } },
    ],
    ['an undeclared lock', { [store]: 'sql`select from vectors for share`' }, 'jobs locks vectors: declare'],
    [
      'an unused declared lock',
      {},
      'nothing of jobs locks vectors',
      { traits, jobs: { ...jobs, locks: ['vectors'] } },
    ],
    [
      'a read of a module below',
      {
        'src/modules/measurement/traits/store.ts': 'sql`select from offers`',
        [more]: 'create view offers as select id from jobs',
      },
      'traits may not read offers of jobs',
      { traits: { ...traits, reads: ['offers'] }, jobs: { ...jobs, publishes: ['offers'] } },
    ],
    [
      'a table without an owner',
      { [more]: 'create table x (id uuid);' },
      `${more}:1: no module in src/tables/tables.ts has the table x`,
    ],
    [
      'a view without a publisher',
      { [more]: '\ncreate view x as select 1;' },
      `${more}:2: no module in src/tables/tables.ts has the view x`,
    ],
    ['a function without an owner', { [more]: `${f} begin end $$` }, 'has the function f'],
    [
      'a table that does not exist',
      {},
      'src/tables/tables.ts:7: no migration creates the table x',
      { traits, jobs: { ...jobs, owns: ['jobs', 'x'] } },
    ],
    [
      'a table that was dropped',
      { [more]: 'drop view vectors; drop table raw;' },
      'no migration creates the table raw',
    ],
    [
      'a table of two modules',
      {},
      'jobs has more than one owner',
      { traits: { ...traits, owns: ['raw', 'jobs'] }, jobs },
    ],
    [
      'an unknown module',
      {},
      'the module weather has no place',
      { traits, jobs, weather: { owns: ['rain'] } },
    ],
    [
      'a view over a foreign table',
      { [more]: 'create or replace view vectors as\nselect id from jobs;' },
      `${more}:2: only jobs reads jobs`,
    ],
    [
      'a foreign key to a module below',
      { [more]: 'alter table raw add column job uuid references jobs (id);' },
      'a table of traits refers to jobs of jobs',
    ],
    [
      'a foreign write in a function',
      { [more]: `${f}\nbegin -- somebody's\n  delete from jobs;\nend $$` },
      `${more}:3: only jobs writes jobs`,
      { traits: { ...traits, functions: ['f'] }, jobs },
    ],
    [
      'an undeclared guard',
      { [more]: `${f} begin if exists (select from vectors) then return new; end if; end $$` },
      'jobs reads vectors: declare',
      { traits, jobs: { ...jobs, functions: ['f'] } },
    ],
    [
      'a call of a foreign function',
      { [store]: 'sql`select f(), * from vectors`', [more]: `${f} begin end $$` },
      'only traits calls f',
      { traits: { ...traits, functions: ['f'] }, jobs },
    ],
    [
      'an undeclared trigger',
      {
        [more]: `${f} begin return new; end $$; create trigger t after insert on raw for each row execute function f();`,
      },
      'a trigger of jobs follows raw: declare',
      { traits, jobs: { ...jobs, functions: ['f'] } },
    ],
  ];

  for (const [what, changes, sentence, owners] of plantedUses)
    it(`finds ${what}`, () => {
      expect(findFaultsWithOwners(changes, owners)).toContainEqual(expect.stringContaining(sentence));
    });

  it('lets a database function guard by a view of any module, and a module follow tables above it', () => {
    const migration = [
      'create view offers as select id from jobs;',
      `create function guard() ${header} begin if exists (select from offers) then return new; end if; end $$;`,
      `create function note() ${header} begin insert into jobs (id) select id from changed; return null; end $$;`,
      'create trigger noted after insert on raw referencing new table as changed',
      '  for each statement execute function note();',
    ].join('\n');
    const owners = {
      traits: { ...traits, functions: ['guard'], guards: ['offers'] },
      jobs: { ...jobs, functions: ['note'], publishes: ['offers'], follows: ['raw'] },
    };
    expect(findFaultsWithOwners({ [more]: migration }, owners)).toEqual([]);
  });
});

describe('the shard keys of statements', () => {
  const store = 'src/modules/matching/jobs/store.ts';
  const owners = "export const tables = {\n  jobs: {\n    owns: ['jobs', 'notes'],\n  },\n};\n";
  const table = "export const placements = {\n  jobs: 'member_id',\n  notes: 'copied',\n};\n";
  const noExceptions = 'export const unkeyed = {};\n';
  const notes = 'create table notes (\n  id uuid primary key\n);\n';
  const findKeyFaults = (text: string, unkeyed = noExceptions) =>
    findFaults({
      [store]: text,
      'src/tables/tables.ts': owners,
      'src/tables/placements.ts': table,
      'src/tables/unkeyed.ts': unkeyed,
      'migrations/0003_notes.sql': notes,
    }).filter((each) => /shard key|exception/.test(each));

  it.each([
    'select a from jobs where member_id = ${id}',
    'select a from jobs as job where job.member_id = any(${ids}::uuid[])',
    'insert into jobs (id, member_id) values (1, 2)',
    'update jobs set a = 1 from unnest(${ids}::uuid[]) as own (member_id) where jobs.member_id = own.member_id',
    'select a from notes where id = ${id}',
    'select a from jobs where ${condition}',
    'select a from jobs where ${build(1)}',
    'select a from jobs where ${a ? sql`member_id = ${id}` : b}',
  ])('accepts %s', (text) => {
    const fragments =
      'const condition = sql`member_id = ${id}`;\nfunction build() { return sql`member_id = ${id}`; }\n';
    expect(findKeyFaults(`${fragments}export const findJob = () => sql\`${text}\`;`)).toEqual([]);
  });

  it.each([
    'select a from jobs',
    'select a from jobs where id = ${member_id}',
    'select a from notes join jobs on jobs.id = notes.id',
    'select a from jobs join notes on jobs.member_id = notes.id',
    'insert into jobs (id) values (1)',
    'delete from jobs using unnest(${ids}::uuid[]) as gone (id) where jobs.id = gone.id',
    'select a from jobs -- member_id = ${id}\n where id = 1',
    'select a from jobs where ${other}',
    'select a from jobs where other_member_id = ${id}',
  ])('refuses %s', (text) => {
    const fragments = 'const other = sql`id = ${id}`;\nconst condition = sql`member_id = ${id}`;\n';
    expect(findKeyFaults(`${fragments}export const findJob = () => sql\`${text}\`;`)).toEqual([
      expect.stringContaining(`${store}:3: findJob touches jobs without its shard key member_id`),
    ]);
  });

  it('refuses to count by `run` what an insertion has selected, a text that a change returns, rows without columns, and to rely on a foreign key', () => {
    const places = table.replace('notes', "drafts: 'single',\n  notes");
    const findNodeFaults = (text: string) =>
      findFaults({ [store]: text, 'src/tables/placements.ts': places }).filter((each) =>
        each.includes('distributed database'),
      );
    const insertion = 'run(sql`insert into jobs (member_id) select ${id} on conflict do nothing`)';
    expect(findNodeFaults(`export const addJob = () => db.${insertion};`)).toEqual([
      expect.stringContaining(`${store}:1: addJob uses a count that is of selected rows`),
    ]);
    expect(findNodeFaults(`export async function addJob() {\n  await db.${insertion};\n}`)).toEqual([]);
    const change = 'update jobs set a = 1 where member_id = ${id} returning a';
    expect(findNodeFaults(`export const moveJob = () => sql\`${change}::text\`;`)).toEqual([
      expect.stringContaining(`${store}:1: moveJob returns a conversion to text`),
    ]);
    expect(findNodeFaults(`export const moveJob = () => sql\`${change}\`;`)).toEqual([]);
    const isDraft = (table: string, column: string) =>
      `export const isDraft = () => sql\`select exists (select ${column}from ${table}) from jobs where member_id = \${id}\`;`;
    expect(findNodeFaults(isDraft('drafts', ''))).toEqual([
      expect.stringContaining(`${store}:1: isDraft passes rows without columns`),
    ]);
    expect([...findNodeFaults(isDraft('drafts', '1 ')), ...findNodeFaults(isDraft('notes', ''))]).toEqual([]);
    expect(findNodeFaults("export const isGone = (name: string) => name === 'jobs_org_id_fkey';")).toEqual([
      expect.stringContaining(`${store}:1: relies on a foreign key`),
    ]);
  });

  it('accepts an exception with a reason, and refuses one that nothing needs', () => {
    const excepted = noExceptions.replace('{}', `{\n  '${store} findJob': 'All of them.',\n}`);
    expect(findKeyFaults('export const findJob = () => sql`select a from jobs`;', excepted)).toEqual([]);
    expect(findKeyFaults('export const findJob = () => sql`select a from notes`;', excepted)).toEqual([
      `src/tables/unkeyed.ts:2: no statement needs the exception ${store} findJob.`,
    ]);
  });
});

describe('migrations after a release', () => {
  const earlier = [
    'create table things (id uuid primary key, note text, size int check (size > 0));',
    "create table words (word text check (word in ('a', 'b')));",
    'create index things_by_note on things (note);',
    'create unique index things_once on things (size);',
    'create function note_thing() returns trigger language plpgsql as $$ begin insert into words values (null); return null; end $$;',
    'create function keep_thing() returns trigger language plpgsql as $$ begin raise exception $a$no$a$; end $$;',
  ].join('\n');
  const file = 'migrations/0004_later.sql';
  const findMigrationFaults = (text: string, newest = '0003_things.sql') =>
    findFaults({
      'migrations/releases.json': JSON.stringify([{ version: '1.0.0', newest }]),
      'migrations/0003_things.sql': earlier,
      [file]: text,
    }).filter((each) => each.startsWith(file) && !each.includes('no module in'));

  it.each([
    'create trigger t after update on things for each row execute function note_thing();',
    'create table more (id uuid primary key, kind text not null unique);\ncreate unique index more_by_kind on more (kind);',
    'alter table things add size int, add is_new boolean not null default false;',
    'alter table things add until date;\nalter table things add check (until is null or note is not null);',
    "alter table words drop constraint words_word_check, add constraint words_word_check check (word in ('a', 'b', 'c'));",
    'alter table things alter note set default 1, drop constraint things_size_check;',
    'alter table things add code text;\ncreate unique index if not exists things_by_code on things (code);',
    'drop index things_by_note;\nupdate things set note = 1;\ncreate or replace view seen as select id from things;',
  ])('may expand: %s', (text) => {
    expect(findMigrationFaults(text)).toEqual([]);
  });

  it.each([
    ['drop table things', 'things is dropped'],
    ['drop view seen', 'seen is dropped'],
    ['drop function f()', 'f is dropped'],
    ['drop index things_once', 'things_once is dropped'],
    ['alter table things drop note', 'things.note is dropped'],
    ['alter table things rename note to remark', 'something is renamed'],
    ['alter table things rename to objects', 'something is renamed'],
    ['alter table things add size int not null', 'things.size is not null and has no default'],
    ['alter table things alter note set not null', 'things.note may no longer be null'],
    ['alter table things alter note drop default', 'things.note loses its default'],
    ['alter table things alter note type int', 'things.note changes its type'],
    ['alter table things drop constraint things_pkey', 'the constraint things_pkey is dropped'],
    ['alter table things add check (note is not null)', 'refuses more than before'],
    [
      'alter table things add until date default now(), add check (until is null)',
      'refuses more than before',
    ],
    ['alter table things add unique (note)', 'refuses more than before'],
    ['alter table things add foreign key (note) references words', 'refuses more than before'],
    [
      "alter table words drop constraint words_word_check, add constraint words_word_check check (word in ('a', 'c'))",
      'the check words_word_check refuses more',
    ],
    ['create unique index if not exists i on things (note)', 'the unique index i refuses more'],
    ['create index i on things (note)', 'lacks "if not exists"'],
    ['create trigger t before insert on things execute function f()', 'a trigger on things can refuse'],
    [
      'create trigger t after update on things for each row execute function keep_thing()',
      'a trigger on things can refuse',
    ],
    ['truncate things', 'nobody knows what TruncateStmt does'],
    ['alter table things disable rule r', 'nobody knows what AT_DisableRule on things does'],
  ])('may not contract: %s', (text, reason) => {
    expect(findMigrationFaults(`-- Why.\n${text};`)).toEqual([expect.stringContaining(`${file}:2: `)]);
    expect(findMigrationFaults(`-- Why.\n${text};`)[0]).toContain(reason);
    expect(findMigrationFaults(`-- contract 1.0.0: nothing uses it.\n${text};`)).toEqual([]);
    expect(findMigrationFaults(text, '0004_later.sql')).toEqual([]);
  });

  it('may contract only for versions that were released before, and says why', () => {
    const expected = [expect.stringContaining(`${file}:1: write "-- contract VERSION: why"`)];
    expect(findMigrationFaults('-- contract 1.1.0: nothing uses it.\ndrop table things;')).toEqual(expected);
    expect(findMigrationFaults('-- contract 1.0.0\ndrop table things;')).toEqual(expected);
  });
});
