import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  listAllNodes,
  listNodes,
  parseSql,
  readNames,
  readTable,
  type SqlNode,
} from '../statements/parse-sql.ts';
import { readReleases } from './releases.ts';
import { computeLine, fault, listFiles } from './source.ts';

/**
 * What migrations after the first release do that nodes of the release before may not survive, although they run on the new schema until they are
 * replaced. A migration that says `-- contract VERSION: why` is for nodes of that version and newer alone; that version was released before it.
 */
export function findContractionFaults(root: string): string[] {
  const releases = readReleases(root);
  const first = releases[0]?.newest;
  const before: Before = { values: new Map(), indexes: new Set(), quietFunctions: new Set() };
  return listFiles(root, 'migrations', /\.sql$/).flatMap((file) => {
    const name = path.basename(file);
    const text = readFileSync(path.join(root, file), 'utf8');
    const contractions = listContractions(text, before);
    if (first === undefined || name <= first) return [];
    const marked = /^-- contract\b(?: (\d+\.\d+\.\d+): \S)?/m.exec(text);
    if (!marked)
      return contractions.map(({ what, at }) =>
        fault(file, computeLine(text, at), `${what}: nodes of the release before may not survive that.`),
      );
    const isReleased = releases.some(({ version, newest }) => version === marked[1] && newest < name);
    const hint =
      'write "-- contract VERSION: why", with a version of migrations/releases.json that is older than this migration.';
    return isReleased ? [] : [fault(file, computeLine(text, marked.index), hint)];
  });
}

/** What earlier statements have made. */
type Before = {
  /** The values that a check allows its column, by the name of the check. */
  readonly values: Map<string, ReadonlySet<string>>;
  /** The indexes that are not unique. */
  readonly indexes: Set<string>;
  /** The functions that raise no error of their own. A trigger that runs one after a change neither refuses nor changes it. */
  readonly quietFunctions: Set<string>;
};

/** What the statements of one migration have made and removed so far. */
type Made = {
  readonly tables: Set<string>;
  /** `table.column`, of columns that are null wherever nothing has written them. */
  readonly columns: Set<string>;
  readonly droppedChecks: Set<string>;
};

type Contraction = { readonly what: string; readonly at: number };

function listContractions(text: string, before: Before): Contraction[] {
  const made: Made = {
    tables: new Set(),
    columns: new Set(),
    droppedChecks: new Set(),
  };
  return parseSql(text).flatMap(({ tree, at, text: statement }) => {
    const start = at + /^(?:\s|--[^\n]*)*/.exec(statement)![0].length;
    const [, added] = /^create (?:or replace )?function (\w+)/im.exec(statement) ?? [];
    if (added !== undefined) before.quietFunctions[/\braise\b/i.test(statement) ? 'delete' : 'add'](added);
    const [, noted = ''] = /^create trigger \w+ after [^;]* execute function (\w+)/im.exec(statement) ?? [];
    const whats = before.quietFunctions.has(noted) ? [] : describeStatement(tree, before, made);
    recordChecks(tree, before);
    return whats.map((what) => ({ what, at: start }));
  });
}

/** Statements that leave what exists as it is, or put more in its place: PostgreSQL itself refuses a view or function with less. */
const harmless: ReadonlySet<string> = new Set([
  'ViewStmt',
  'CreateFunctionStmt',
  'CommentStmt',
  'GrantStmt',
  'SelectStmt',
  'InsertStmt',
  'UpdateStmt',
  'DeleteStmt',
]);

/** Says what a statement does that an earlier release may not survive. */
function describeStatement({ kind, fields }: SqlNode, before: Before, made: Made): string[] {
  if (harmless.has(kind)) return [];
  switch (kind) {
    case 'CreateStmt':
      made.tables.add(readRelation(fields));
      return [];
    case 'AlterTableStmt':
      return describeAlteration(fields, made, before);
    case 'IndexStmt':
      return describeIndex(fields, made, before);
    case 'CreateTrigStmt':
      return made.tables.has(readRelation(fields))
        ? []
        : [`a trigger on ${readRelation(fields)} can refuse or change what is written`];
    case 'DropStmt':
      return describeDrop(fields, before);
    case 'RenameStmt':
      return ['something is renamed'];
    default:
      return [`nobody knows what ${kind} does to running nodes`];
  }
}

function readRelation(fields: SqlNode['fields']): string {
  return readTable(listNodes(fields['relation'], 'RangeVar')[0]!);
}

function describeAlteration(fields: SqlNode['fields'], made: Made, before: Before): string[] {
  const table = readRelation(fields);
  if (made.tables.has(table)) return [];
  const commands = listNodes(fields['cmds']);
  for (const command of commands) recordColumn(table, command, made);
  return commands.flatMap((command) => describeCommand(table, command, made, before));
}

/** Columns of the same statement may come after a constraint on them. */
function recordColumn(table: string, { fields }: SqlNode, { columns }: Made): void {
  if (fields['subtype'] !== 'AT_AddColumn') return;
  const [column] = listNodes(fields['def']);
  const types = listConstraints(column).map((each) => each.fields['contype']);
  if (!types.includes('CONSTR_DEFAULT')) columns.add(`${table}.${column!.fields['colname'] as string}`);
}

const listConstraints = (column: SqlNode | undefined) => listNodes(column?.fields['constraints']);

const widening: ReadonlySet<unknown> = new Set([
  'AT_DropNotNull',
  'AT_ValidateConstraint',
  'AT_SetRelOptions',
  'AT_ResetRelOptions',
  'AT_SetStatistics',
]);

function describeCommand(table: string, { fields }: SqlNode, made: Made, before: Before): string[] {
  const { subtype, name } = fields as { subtype: string; name?: string };
  const [definition] = listNodes(fields['def']);
  if (widening.has(subtype)) return [];
  switch (subtype) {
    case 'AT_AddColumn':
      return describeColumn(table, definition!);
    case 'AT_ColumnDefault':
      return definition ? [] : [`${table}.${name} loses its default`];
    case 'AT_DropConstraint':
      made.droppedChecks.add(name!);
      return /_(?:check|fkey)$/.test(name!) || before.values.has(name!)
        ? []
        : [`the constraint ${name} is dropped, and "on conflict" may name it`];
    case 'AT_AddConstraint':
      return describeConstraint(table, definition!, made, before);
    case 'AT_DropColumn':
      return [`${table}.${name} is dropped`];
    case 'AT_AlterColumnType':
      return [`${table}.${name} changes its type`];
    case 'AT_SetNotNull':
      return [`${table}.${name} may no longer be null`];
    default:
      return [`nobody knows what ${subtype} on ${table} does to running nodes`];
  }
}

function describeColumn(table: string, column: SqlNode): string[] {
  const types = new Set(listConstraints(column).map(({ fields }) => fields['contype']));
  const isFilled = ['CONSTR_DEFAULT', 'CONSTR_IDENTITY', 'CONSTR_GENERATED'].some((type) => types.has(type));
  return (types.has('CONSTR_NOTNULL') || types.has('CONSTR_PRIMARY')) && !isFilled
    ? [`${table}.${column.fields['colname'] as string} is not null and has no default`]
    : [];
}

function describeConstraint(
  table: string,
  constraint: SqlNode,
  { columns, droppedChecks }: Made,
  { values }: Before,
): string[] {
  const { contype, conname = `a constraint of ${table}` } = constraint.fields as {
    contype: string;
    conname?: string;
  };
  const isNull = (column: string) => columns.has(`${table}.${column}`);
  if (contype === 'CONSTR_CHECK') {
    const allowed = readAllowedValues(constraint);
    const earlier = values.get(conname);
    const isWider =
      allowed &&
      earlier &&
      droppedChecks.has(conname) &&
      [...earlier].every((value) => allowed.values.has(value));
    return isWider || isTrueOfNull(listNodes(constraint.fields['raw_expr'])[0]!, isNull)
      ? []
      : [`the check ${conname} refuses more than before`];
  }
  const keys = readNames(constraint.fields[contype === 'CONSTR_FOREIGN' ? 'fk_attrs' : 'keys']);
  return keys.some(isNull) ? [] : [`${conname} refuses more than before`];
}

/** Whether a check is true of every row in which a column of this migration is null: one side of its `or` says so. */
function isTrueOfNull({ kind, fields }: SqlNode, isNull: (column: string) => boolean): boolean {
  if (kind === 'BoolExpr' && fields['boolop'] === 'OR_EXPR')
    return listNodes(fields['args']).some((each) => isTrueOfNull(each, isNull));
  if (kind !== 'NullTest' || fields['nulltesttype'] !== 'IS_NULL') return false;
  return isNull(readColumn(listNodes(fields['arg'])[0]!));
}

function readColumn({ fields }: SqlNode): string {
  return readNames(fields['fields']).at(-1) ?? '';
}

function describeIndex(fields: SqlNode['fields'], { tables, columns }: Made, { indexes }: Before): string[] {
  const table = readRelation(fields);
  const { idxname, unique, if_not_exists } = fields as {
    idxname: string;
    unique?: true;
    if_not_exists?: true;
  };
  if (!unique) indexes.add(idxname);
  if (tables.has(table)) return [];
  const keys = listNodes(fields['indexParams']).map((each) => each.fields['name'] as string | undefined);
  if (unique && !keys.some((key) => columns.has(`${table}.${key}`)))
    return [`the unique index ${idxname} refuses more than before`];
  return if_not_exists
    ? []
    : [
        `the index ${idxname} on ${table} lacks "if not exists", with which it can be built concurrently before`,
      ];
}

function describeDrop(fields: SqlNode['fields'], { indexes }: Before): string[] {
  const { removeType } = fields as { removeType: string };
  if (removeType === 'OBJECT_TRIGGER') return [];
  const names = listNodes(fields['objects']).map((each) =>
    readNames(each.fields['items'] ?? each.fields['objname']).at(-1)!,
  );
  const isPlain = (name: string) => removeType === 'OBJECT_INDEX' && indexes.has(name);
  return names.filter((name) => !isPlain(name)).map((name) => `${name} is dropped`);
}

/** Remembers the values that the checks of a statement allow, under the names that PostgreSQL gives to checks without one. */
function recordChecks(tree: SqlNode, { values }: Before): void {
  if (tree.kind !== 'CreateStmt' && tree.kind !== 'AlterTableStmt') return;
  const table = readRelation(tree.fields);
  for (const constraint of listAllNodes(tree).filter(({ kind }) => kind === 'Constraint')) {
    const allowed = readAllowedValues(constraint);
    const { conname = `${table}_${allowed?.column}_check` } = constraint.fields as { conname?: string };
    if (allowed) values.set(conname, allowed.values);
  }
}

/** Reads `check (column in ('a', 'b'))`. */
function readAllowedValues(
  constraint: SqlNode,
): { readonly column: string; readonly values: ReadonlySet<string> } | undefined {
  const [check] = listNodes(constraint.fields['raw_expr']);
  if (check?.kind !== 'A_Expr' || check.fields['kind'] !== 'AEXPR_IN') return undefined;
  const [left, right] = [listNodes(check.fields['lexpr'])[0], listNodes(check.fields['rexpr'])[0]];
  const isNegated = readNames(check.fields['name'])[0] !== '=';
  if (isNegated || left?.kind !== 'ColumnRef' || right?.kind !== 'List') return undefined;
  const values = listNodes(right.fields['items']).map(({ fields }) => JSON.stringify(fields['sval']));
  return { column: readColumn(left), values: new Set(values) };
}
