import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  findDecidingFiles,
  hasOperation,
  findImportFaults,
  moduleOrder,
  classifyFile,
} from './scripts/tidy/imports.ts';
import { findContractionFaults } from './scripts/tidy/expanding-migrations.ts';
import { findIndependentCommits } from './scripts/tidy/independent-commits.ts';
import { findNumberingFaults, findPersonalDataFaults } from './scripts/tidy/migrations.ts';
import { findModuleStateFaults } from './scripts/tidy/module-state.ts';
import { findFunctionNameFaults } from './scripts/tidy/names.ts';
import { findSecondReaders } from './scripts/tidy/outside-values.ts';
import { findMarkdownPhrases, findSourcePhrases } from './scripts/tidy/phrases.ts';
import { findProductTerms } from './scripts/tidy/product-terms.ts';
import {
  toCamelCase,
  fault,
  listFiles,
  isTest,
  computeLine,
  readRootSources,
  readSources,
  type Source,
} from './scripts/tidy/source.ts';
import { createEvaluator } from './scripts/statements/evaluate.ts';
import { readStatements } from './scripts/statements/read-statements.ts';
import { findForeignKeyFaults, findNodeFaults, findShardKeyFaults } from './scripts/tidy/shard-keys.ts';
import { findTableFaults } from './scripts/tidy/tables.ts';
import {
  findFolderCycles,
  findImportCycles,
  findDevelopmentPackages,
  findLargeFolders,
  findPackageImports,
  findWideModules,
} from './scripts/tidy/structure.ts';
import { specification } from './test/specification.ts';

const lines_max = 400;

/** The rules of the project that a program can check, over the tree at `root`: a list of faults, each `file:line: sentence`. */
export function findAllFaults(root: string): string[] {
  const sources = readSources(root, 'src');
  const packages = readSources(root, 'packages');
  const client = readSources(root, 'client');
  const allSources = [
    ...sources,
    ...packages,
    ...client,
    ...['test', 'bench', 'scripts'].flatMap((folder) => readSources(root, folder)),
    ...readRootSources(root),
  ];
  const statements = readStatements(
    sources.filter(
      ({ path: file }) => !isTest(file) && ['store', 'platform'].includes(classifyFile(file).kind),
    ),
    createEvaluator(root),
  );
  return [
    ...findImportFaults(sources),
    ...findUnknownModules(sources),
    ...findImpureRules(sources),
    ...findStrayStatements(sources),
    ...findOperationFaults(sources),
    ...findLongFiles(root),
    ...findStrayEnvironment(sources),
    ...findStrayClocks(sources),
    ...findStrayClients(sources),
    ...findSecondReaders(sources),
    ...findModuleStateFaults([...sources, ...packages, ...client]),
    ...findIndependentWrites(sources),
    ...findIndependentCommits(sources),
    ...findApiTableFaults(sources),
    ...findNumberingFaults(root),
    ...findContractionFaults(root),
    ...findPersonalDataFaults(root, sources),
    ...findTableFaults(root, sources, statements),
    ...findShardKeyFaults(sources, statements),
    ...findNodeFaults(sources, statements),
    ...findForeignKeyFaults(sources),
    ...findLargeFolders([...sources, ...packages]),
    ...findImportCycles([...sources, ...packages, ...client]),
    ...findPackageImports(packages),
    ...findWideModules(sources),
    ...findFolderCycles(sources),
    ...findDevelopmentPackages(root, sources),
    ...findFunctionNameFaults(allSources),
    ...findProductTerms(sources),
    ...findSourcePhrases(allSources),
    ...findMarkdownPhrases(root),
  ];
}

/** A module that is in no group, or is missing from the order, could import anything. */
function findUnknownModules(sources: readonly Source[]): string[] {
  const modules = new Map(sources.map(({ path: file }) => [classifyFile(file).module, file]));
  const ungrouped = sources.filter(
    ({ path: file }) => file.startsWith('src/modules/') && classifyFile(file).module === undefined,
  );
  const strays = ungrouped.map(({ path: file }) =>
    fault(file, 1, 'the module is in no group: a module is src/modules/<group>/<module>.'),
  );
  const unordered = [...modules].flatMap(([module, file]) =>
    module === undefined || moduleOrder.some((known) => known === module)
      ? []
      : [
          fault(
            file,
            1,
            `the module ${module} is missing from the order of modules (scripts/tidy/imports.ts).`,
          ),
        ],
  );
  return [...strays, ...unordered];
}

const impurities =
  /\bDate\s*\.\s*now\b|\bnew\s+Date\b(?!\s*\(\s*[^\s)])|\bMath\s*\.\s*random\b|\brandom(?:UUID|Bytes|Int)\b|\bgetRandomValues\b|\bperformance\s*\.\s*now\b|\bhrtime\b|\bawait\b|\basync\b|\bset(?:Timeout|Interval|Immediate)\b/g;

/** Rules receive the time, ids and random numbers. They never ask for them, and never wait. */
function findImpureRules(sources: readonly Source[]): string[] {
  const deciding = findDecidingFiles(sources);
  return findPatternFaults(
    sources.filter(({ path: file }) => deciding.has(file)),
    impurities,
    (what) => `rules are pure: no clock, random numbers or waiting, such as ${what}.`,
  );
}

/** All SQL is in stores and in the platform, so that a reader of the schema knows where to look. */
function findStrayStatements(sources: readonly Source[]): string[] {
  const others = sources.filter(
    ({ path: file }) => !isTest(file) && !['store', 'platform'].includes(classifyFile(file).kind),
  );
  return findPatternFaults(
    others,
    /\bsql\s*(?:<[^`;]*>)?\s*`|\.query\s*(?:<[^()`;]*>)?\(/g,
    () => 'SQL belongs in store.ts or the platform.',
  );
}

/** An operation has its own file, a test next to it, and the same name in all three places. */
function findOperationFaults(sources: readonly Source[]): string[] {
  const files = new Set(sources.map(({ path: file }) => file));
  return sources.filter(hasOperation).flatMap((each) => {
    const verb = toCamelCase(path.basename(each.path, '.ts'));
    const faults = findOperationNameFaults(each, verb);
    const test = each.path.replace(/\.ts$/, '.test.ts');
    return files.has(test)
      ? faults
      : [...faults, fault(each.path, 1, `the operation has no test next to it: ${test}.`)];
  });
}

function findOperationNameFaults(each: Source, verb: string): string[] {
  const definitions = [
    ...each.code.matchAll(/(?:\bconst\s+(\w+)[^=\n]*)?=\s*(?:operation|listOperation)\s*\(/g),
  ];
  const name = `${toCamelCase(classifyFile(each.path).module ?? '')}.${verb}`;
  return definitions.flatMap((match) => {
    const line = computeLine(each.code, match.index);
    if (match[1] !== verb)
      return [fault(each.path, line, `the operation of this file must be called ${verb}.`)];
    const given = /\bname:\s*'([^']*)'/.exec(each.bare.slice(match.index))?.[1];
    return given === name ? [] : [fault(each.path, line, `the operation's name must be '${name}'.`)];
  });
}

/** Files that are too long to read. Tests and generated files may be longer. */
function findLongFiles(root: string): string[] {
  const files = ['src', 'packages'].flatMap((folder) =>
    listFiles(root, folder, /\.([cm]?[jt]sx?|css|html)$/),
  );
  return files
    .filter((file) => !isTest(file) && !/\.generated\.\w+$/.test(file))
    .flatMap((file) => {
      const lines = readFileSync(path.join(root, file), 'utf8').trimEnd().split('\n').length;
      return lines > lines_max
        ? [fault(file, lines_max + 1, `${lines} lines; a file has at most ${lines_max}.`)]
        : [];
    });
}

/** Only the entry file reads the environment. */
function findStrayEnvironment(sources: readonly Source[]): string[] {
  return findPatternFaults(
    sources.filter(({ path: file }) => !isTest(file) && file !== 'src/app/main.js'),
    /\bprocess\s*(?:\?\.|\.)\s*env\b|\benv\b[^;{}=]*\}\s*=\s*process\b|\benv\b[^;{}=]*\}\s*from\b/g,
    () => 'only src/app/main.js reads the environment.',
  );
}

/** Time comes from the clock, so that tests can stop and move it. */
function findStrayClocks(sources: readonly Source[]): string[] {
  return findPatternFaults(
    sources.filter(
      ({ path: file }) =>
        /^src\/(modules|platform)\//.test(file) && !isTest(file) && file !== 'src/platform/clock.ts',
    ),
    /\bDate\s*\.\s*now\b|\bnew\s+Date\b(?!\s*\(\s*[^\s)])/g,
    () => 'time comes from the clock: use context.now() or platform/clock.',
  );
}

/** An error of a client without a listener ends the process, and a session that was not set up reads other dates and other tables. */
function findStrayClients(sources: readonly Source[]): string[] {
  return findPatternFaults(
    sources.filter(({ path: file }) => !isTest(file) && file !== 'src/platform/database/connections.ts'),
    /\bnew\s+(?:pg\s*\.\s*)?(?:Client|Pool)\b/g,
    () => 'clients and pools of PostgreSQL come from platform/database/connections.',
  );
}

/** An operation writes inside its own transaction, so that an Idempotency-Key covers all of its effects. */
function findIndependentWrites(sources: readonly Source[]): string[] {
  return findPatternFaults(
    sources.filter(hasOperation),
    /\bserviceDatabase\b/g,
    () => 'an operation writes in context.transaction; serviceDatabase is for work that commits in any case.',
  );
}

/** Rows of src/tables/api.ts read `row('GET', '/auth/me', 'jwt', auth.readMe)`, or `pending('GET', '/auth/me', 'jwt')` until they are built. */
function findApiTableFaults(sources: readonly Source[]): string[] {
  const api = sources.find(({ path: file }) => file === 'src/tables/api.ts');
  const list = api && /\bexport const specifiedRows\b[\s\S]*?\n\]/.exec(api.bare);
  if (!api || !list)
    return [fault('src/tables/api.ts', 1, 'the table `export const specifiedRows = […]` is missing.')];
  const rows = [...list[0].matchAll(/\b(?:row|pending)\(\s*'(\w+)',\s*'([^']*)',\s*'(\w+)'/g)].map(
    (match) => ({
      text: match.slice(1, 4).join(' '),
      line: computeLine(api.bare, list.index + match.index),
    }),
  );
  const specified = specification.map(({ method, path: where, auth }) => `${method} ${where} ${auth}`);
  const end = computeLine(api.bare, list.index + list[0].length);
  const missing = specified.filter((text) => !rows.some((row) => row.text === text));
  const strange = rows.filter(
    ({ text }, index) => !specified.includes(text) || rows.findIndex((row) => row.text === text) !== index,
  );
  const misplaced = rows.find(({ text }, index) => text !== specified[index]);
  return [
    ...missing.map((text) => fault(api.path, end, `the specification's row is missing: ${text}.`)),
    ...strange.map(({ text, line }) =>
      fault(api.path, line, `the specification does not have this row, or has it only once: ${text}.`),
    ),
    ...(missing.length + strange.length === 0 && misplaced
      ? [fault(api.path, misplaced.line, `this row is not in the specification's order: ${misplaced.text}.`)]
      : []),
  ];
}

function findPatternFaults(
  sources: readonly Source[],
  pattern: RegExp,
  sentence: (what: string) => string,
): string[] {
  return sources.flatMap((each) =>
    [...each.code.matchAll(pattern)].map((match) =>
      fault(each.path, computeLine(each.code, match.index), sentence(match[0].replace(/\s+/g, ' '))),
    ),
  );
}

if (import.meta.main) {
  const faults = findAllFaults(import.meta.dirname);
  for (const each of faults) console.error(each);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
