import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parsePlPgSQLSync } from 'libpg-query';
import {
  createLocator,
  listAllNodes,
  listNodes,
  parseSql,
  readNames,
  readTable,
  type ParsedStatement,
  type SqlNode,
} from '../statements/parse-sql.ts';
import { listCalls, listTableUses, type TableUse } from '../statements/table-uses.ts';
import { fault, listFiles, computeLine } from './source.ts';

/** Something that the migrations leave in the database. */
export type SchemaObject = {
  readonly kind: 'table' | 'view' | 'function' | 'trigger';
  readonly name: string;
  /** What a view or the body of a function does with tables, and the tables to which a table refers. `at` is a place in the migration. */
  readonly uses: readonly TableUse[];
  /** The functions that the body of a function calls. */
  readonly calls: readonly string[];
  /** Of a trigger. */
  readonly table?: string;
  readonly runs?: string;
  /** A fault at an offset in the file. */
  readonly fault: (sentence: string, offset?: number) => string;
};

type Creation = Pick<SchemaObject, 'kind' | 'name'> & Partial<SchemaObject>;

/** Reads what the migrations leave in the database, in their order. */
export function readSchema(root: string): SchemaObject[] {
  const objects = new Map<string, SchemaObject>();
  const transitions = new Set<string>();
  for (const file of listFiles(root, 'migrations', /\.sql$/)) {
    const text = readFileSync(path.join(root, file), 'utf8');
    for (const statement of parseSql(text)) {
      for (const key of listDropped(statement.tree)) objects.delete(key);
      for (const name of listTransitions(statement.tree)) transitions.add(name);
      const created = readCreation(statement, text);
      if (!created) continue;
      const key = `${created.kind} ${created.name}`;
      const before = created.kind === 'table' ? objects.get(key) : undefined;
      const start = skipBlank(statement);
      const writeFault = (sentence: string, at = start) => fault(file, computeLine(text, at), sentence);
      objects.set(key, {
        calls: [],
        ...created,
        uses: [...(before?.uses ?? []), ...(created.uses ?? [])],
        fault: before?.fault ?? writeFault,
      });
    }
  }
  return [...objects.values()].map((each) => ({
    ...each,
    uses: each.uses.filter(({ name }) => !transitions.has(name)),
  }));
}

/** Where a statement begins, behind the spaces and comments before it. */
function skipBlank({ at, text }: ParsedStatement): number {
  return at + /^(?:\s|--[^\n]*)*/.exec(text)![0].length;
}

/** Reads what a statement makes. A later one of the same name replaces an earlier one; more is added to a table. */
function readCreation(statement: ParsedStatement, text: string): Creation | undefined {
  const { kind, fields } = statement.tree;
  const readRelation = (field: string) => readTable(listNodes(fields[field], 'RangeVar')[0]!);
  switch (kind) {
    case 'CreateStmt':
    case 'AlterTableStmt':
      return { kind: 'table', name: readRelation('relation'), uses: listReferences(statement.tree, text) };
    case 'ViewStmt':
      return {
        kind: 'view',
        name: readRelation('view'),
        uses: listNodes(fields['query']).flatMap((query) => listTableUses(query, text)),
      };
    case 'CreateFunctionStmt':
      return { kind: 'function', name: readNames(fields['funcname']).at(-1)!, ...readBody(statement) };
    case 'CreateTrigStmt': {
      const table = readRelation('relation');
      const name = `${fields['trigname'] as string} on ${table}`;
      return { kind: 'trigger', name, table, runs: readNames(fields['funcname']).at(-1)! };
    }
    default:
      return undefined;
  }
}

function listReferences(tree: SqlNode, text: string): TableUse[] {
  const locate = createLocator(text);
  return listAllNodes(tree).flatMap(({ fields }) =>
    listNodes(fields['pktable'], 'RangeVar').map((table) => ({
      name: readTable(table),
      use: 'read',
      at: locate(table),
    })),
  );
}

/** The names that a trigger gives to the rows that have changed. */
function listTransitions({ fields }: SqlNode): string[] {
  return listNodes(fields['transitionRels']).map((each) => each.fields['name'] as string);
}

const droppedKinds: Readonly<Record<string, SchemaObject['kind']>> = {
  OBJECT_TABLE: 'table',
  OBJECT_VIEW: 'view',
  OBJECT_FUNCTION: 'function',
  OBJECT_TRIGGER: 'trigger',
};

function listDropped({ kind, fields }: SqlNode): string[] {
  const dropped = kind === 'DropStmt' ? droppedKinds[fields['removeType'] as string] : undefined;
  if (dropped === undefined) return [];
  return listNodes(fields['objects']).map((each) => {
    const names = readNames(each.fields['items'] ?? each.fields['objname']);
    return dropped === 'trigger'
      ? `trigger ${names.at(-1)} on ${names.at(-2)}`
      : `${dropped} ${names.at(-1)}`;
  });
}

/** Reads what the body of a function does. The language of all our functions is PL/pgSQL or SQL. */
function readBody({ tree, at, text }: ParsedStatement): Pick<SchemaObject, 'uses' | 'calls'> {
  const start = text.indexOf('$$');
  const body = text.slice(start + 2, text.lastIndexOf('$$'));
  const language = listNodes(tree.fields['options'])
    .filter(({ fields }) => fields['defname'] === 'language')
    .flatMap(({ fields }) => readNames(fields['arg']));
  const queries =
    language[0] === 'plpgsql' ? listQueries(parsePlPgSQLSync(text), 1) : [{ query: body, line: 1 }];
  const statements = queries.flatMap(({ query, line }) =>
    parseSql(query).map(({ tree: inner }) => ({ inner, query, at: at + start + 2 + findLine(body, line) })),
  );
  return {
    uses: statements.flatMap(({ inner, query, at: place }) =>
      listTableUses(inner, query).map((use) => ({ ...use, at: place })),
    ),
    calls: statements.flatMap(({ inner, query }) => listCalls(inner, query).map(({ name }) => name)),
  };
}

/** Where a line of a text begins. */
function findLine(text: string, line: number): number {
  const before = text.split('\n').slice(0, line - 1);
  return before.reduce((length, each) => length + each.length + 1, 0);
}

type Query = { readonly query: string; readonly line: number };

/** Lists the queries of a parsed body, each with its line there. */
function listQueries(node: unknown, around: number): Query[] {
  if (Array.isArray(node)) return node.flatMap((each) => listQueries(each, around));
  if (typeof node !== 'object' || node === null) return [];
  const {
    lineno: line = around,
    query,
    parseMode,
  } = node as {
    lineno?: number;
    query?: unknown;
    parseMode?: number;
  };
  if (typeof query === 'string') return [{ query: toStatement(query, parseMode), line }];
  return Object.values(node).flatMap((each) => listQueries(each, line));
}

/** PL/pgSQL has statements (0), expressions (2) and assignments (3 and above). */
function toStatement(query: string, mode = 0): string {
  if (mode === 0) return query;
  return `select ${mode === 2 ? query : query.replace(/^[^=]*?:?=/, '')}`;
}
