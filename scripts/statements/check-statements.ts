import type pg from 'pg';
import { computeLine, fault, type Source } from '../tidy/source.ts';
import { listAssignments, listInsertions } from './assignments.ts';
import { readCatalogue, type Catalogue } from './catalogue.ts';
import { compileChecks, type Check } from './compile-checks.ts';
import { createEvaluator } from './evaluate.ts';
import { describeStatement, type Description, type ResultColumn } from './describe-statement.ts';
import { readNulls } from './nulls.ts';
import { parseSql, type SqlNode } from './parse-sql.ts';
import { locate, readStatements, type SourceStatement, type Variant } from './read-statements.ts';
import { writeTakenType, writeYieldedType } from './types-of-columns.ts';

const exceptions_file = 'scripts/statements/never-null.ts';

/**
 * Compares every statement of some source files with a migrated database: PostgreSQL prepares it; the compiler compares the columns of its
 * result with the type of its rows, and its parameters with what is passed; and an insert gives every column that needs a value.
 *
 * @param root the folder that contains `package.json`, `tsconfig.json` and `node_modules`.
 * @param exceptions columns that may be null in the database, and never are where they are read, each with the reason.
 * @returns faults, each `file:line: sentence`.
 */
export async function findStatementFaults(
  root: string,
  sources: readonly Pick<Source, 'path' | 'text'>[],
  client: pg.ClientBase,
  exceptions: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const catalogue = await readCatalogue(client);
  const excepted = new Set<string>();
  const mayBeNull = (column: ResultColumn): boolean => {
    const name = catalogue.nameColumn(column);
    if (!catalogue.mayBeNull(column) || name === undefined) return false;
    if (exceptions[name] !== undefined) excepted.add(name);
    return exceptions[name] === undefined;
  };
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const faults: string[] = [];
  const checks: Check[] = [];
  for (const statement of readStatements(sources, createEvaluator(root))) {
    const report = (sentence: string, { file, offset } = { file: statement.file, offset: statement.start }) =>
      void faults.push(fault(file, computeLine(texts.get(file) ?? '', offset), sentence));
    for (const variant of statement.variants)
      checks.push(...(await checkVariant(client, { ...catalogue, mayBeNull }, statement, variant, report)));
  }
  const unneeded = Object.keys(exceptions).filter((name) => !excepted.has(name));
  return [
    ...new Set([
      ...faults,
      ...(await compileChecks(root, sources, checks)),
      ...unneeded.map((name) => fault(exceptions_file, 1, `no statement needs the exception ${name}.`)),
    ]),
  ].toSorted();
}

type Report = (sentence: string, at?: { readonly file: string; readonly offset: number }) => void;

/** What PostgreSQL can prepare. Anything else, such as `analyze` or `lock table`, has neither columns nor parameters. */
const prepared: ReadonlySet<string> = new Set([
  'SelectStmt',
  'InsertStmt',
  'UpdateStmt',
  'DeleteStmt',
  'MergeStmt',
]);

async function checkVariant(
  client: pg.ClientBase,
  catalogue: Catalogue,
  statement: SourceStatement,
  variant: Variant,
  report: Report,
): Promise<Check[]> {
  const trees = parseVariant(variant, report);
  const [tree] = trees;
  if (!tree || trees.length > 1 || !prepared.has(tree.kind)) return [];
  const described = await describeStatement(client, variant.text);
  if ('message' in described) {
    report(`PostgreSQL refuses this statement: ${described.message}.`, locate(variant, described.at));
    return [];
  }
  for (const sentence of listMissingColumns(catalogue, tree)) report(sentence);
  return [
    ...listParameterChecks(catalogue, tree, variant, described),
    ...listRowChecks(catalogue, tree, statement, described, report),
  ];
}

function parseVariant(variant: Variant, report: Report): SqlNode[] {
  try {
    return parseSql(variant.text).map(({ tree }) => tree);
  } catch (error) {
    report(`PostgreSQL cannot read this statement: ${(error as Error).message}.`);
    return [];
  }
}

function listMissingColumns(catalogue: Catalogue, tree: SqlNode): string[] {
  return listInsertions(tree).flatMap(({ table, columns }) =>
    catalogue
      .listColumns(table)
      .filter(({ name, must_be_given }) => must_be_given && columns && !columns.includes(name))
      .map(({ name }) => `the insert into ${table} gives no ${name}, which cannot be null.`),
  );
}

function listParameterChecks(
  catalogue: Catalogue,
  tree: SqlNode,
  variant: Variant,
  { parameter_ids }: Description,
): Check[] {
  const assigned = new Map(listAssignments(tree).map((each) => [each.parameter, each]));
  return variant.parameters.flatMap(({ isRow, ...span }, index): Check[] => {
    const { table, column } = assigned.get(index + 1) ?? {};
    const isRequired =
      table !== undefined &&
      catalogue.listColumns(table).some(({ name, is_required }) => name === column && is_required);
    const type = catalogue.findType(parameter_ids[index] ?? 0);
    const taken = writeTakenType(type);
    if (taken === undefined) return [];
    const value = isRequired ? taken : `${taken} | null`;
    if (!isRow) return [{ kind: 'value', span, type: value }];
    // The function converts a value to JSON, and replaces one that is left out.
    const isJson = type.name.startsWith('json');
    return column === undefined
      ? []
      : [{ kind: 'given', span, type: `{ ${column}?: ${isJson ? 'unknown' : value} | undefined }` }];
  });
}

function listRowChecks(
  catalogue: Catalogue,
  tree: SqlNode,
  { tag }: SourceStatement,
  { columns }: Description,
  report: Report,
): Check[] {
  if (!tag || columns.length === 0) return [];
  const twice = columns.find(
    ({ name }, index) => columns.findIndex((other) => other.name === name) !== index,
  );
  if (twice) report(`the statement returns two columns ${twice.name}.`);
  const nulls = readNulls(tree);
  const readColumnName = (column: ResultColumn) =>
    catalogue.nameColumn(column)?.split('.').at(-1) ?? column.name;
  const writeColumn = (column: ResultColumn, index: number) => {
    const yielded = writeYieldedType(catalogue.findType(column.type_id)) ?? 'never';
    const isNullable =
      nulls.canBeNull(index) || (!nulls.isLeftOut(readColumnName(column)) && catalogue.mayBeNull(column));
    const type = nulls.isNull(index) ? 'null' : isNullable ? `${yielded} | null` : yielded;
    return `${JSON.stringify(column.name)}: ${type}`;
  };
  return [
    {
      kind: 'row',
      span: tag,
      type: `{ ${[...new Map(columns.map((each, index) => [each.name, writeColumn(each, index)])).values()].join('; ')} }`,
    },
  ];
}
