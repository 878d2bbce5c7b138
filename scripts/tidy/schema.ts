import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fault, listFiles, computeLine } from './source.ts';
import { listTableUses, type TableUse } from './sql-statements.ts';

/** Something that the migrations leave in the database. */
export type SchemaObject = {
  readonly kind: 'table' | 'view' | 'function' | 'trigger';
  readonly name: string;
  /** What a view or the body of a function does with tables, and the tables to which a table refers. */
  readonly uses: readonly TableUse[];
  /** The words of a function's body that call something. */
  readonly calls: readonly string[];
  /** Of a trigger. */
  readonly table?: string;
  readonly runs?: string;
  /** A fault at an offset in the file. */
  readonly fault: (sentence: string, offset?: number) => string;
};

type Match = { readonly statement: string; readonly offset: number; readonly groups: readonly string[] };
type Creation = Pick<SchemaObject, 'name'> & Partial<SchemaObject>;

/** The statements that make something, with how each is read. A later one of the same name replaces an earlier one. */
const creations: readonly (readonly [SchemaObject['kind'], RegExp, (match: Match) => Creation])[] = [
  [
    'table',
    /^(?:create\s+(?:unlogged\s+)?table|alter\s+table)\s+(?:if\s+(?:not\s+)?exists\s+)?(?:only\s+)?(\w+)/i,
    ({ statement, offset, groups }) => ({ name: groups[0]!, uses: listReferences(statement, offset) }),
  ],
  [
    'view',
    /^create\s+(?:or\s+replace\s+)?view\s+(\w+)/i,
    ({ statement, offset, groups }) => ({ name: groups[0]!, uses: listUses(statement, offset) }),
  ],
  [
    'function',
    /^create\s+(?:or\s+replace\s+)?function\s+(\w+)/i,
    ({ statement, offset, groups }) => {
      const start = statement.indexOf('$$');
      const body = statement.slice(start).replaceAll('$', ' ');
      const calls = [...body.matchAll(/\b([a-z_]\w*)\s*\(/gi)].map((call) => call[1]!.toLowerCase());
      return { name: groups[0]!, uses: listUses(body, offset + start), calls };
    },
  ],
  [
    'trigger',
    /^create\s+trigger\s+(\w+)/i,
    ({ statement, groups: [name] }) => {
      const table = /\son\s+(\w+)/i.exec(statement)?.[1] ?? '';
      const runs = /\sexecute\s+function\s+(\w+)/i.exec(statement)?.[1] ?? '';
      return { name: `${name} on ${table}`, table, runs };
    },
  ],
];

/** Reads what the migrations leave in the database, in their order. */
export function readSchema(root: string): SchemaObject[] {
  const objects = new Map<string, SchemaObject>();
  const transitions = new Set<string>();
  for (const file of listFiles(root, 'migrations', /\.sql$/)) {
    const text = blankComments(readFileSync(path.join(root, file), 'utf8'));
    for (const { 0: statement, index: offset } of text.matchAll(statementPattern)) {
      const dropped = dropPattern.exec(statement);
      if (dropped) objects.delete(dropped.slice(1).filter(Boolean).join(' ').toLowerCase());
      for (const [, name] of statement.matchAll(/\breferencing\s+(?:new|old)\s+table\s+as\s+(\w+)/gi))
        transitions.add(name!);
      for (const [kind, pattern, read] of creations) {
        const match = pattern.exec(statement);
        if (!match) continue;
        const created = read({ statement, offset, groups: match.slice(1) });
        const key = `${kind} ${created.name}`.toLowerCase();
        const before = kind === 'table' ? objects.get(key) : undefined;
        const writeFault = (sentence: string, at = offset) => fault(file, computeLine(text, at), sentence);
        objects.set(key, {
          kind,
          calls: [],
          ...created,
          uses: [...(before?.uses ?? []), ...(created.uses ?? [])],
          fault: before?.fault ?? writeFault,
        });
      }
    }
  }
  return [...objects.values()].map((each) => ({
    ...each,
    uses: each.uses.filter(({ name }) => !transitions.has(name)),
  }));
}

/** One statement, up to its semicolon; those in strings and in bodies of functions do not end it. */
const statementPattern = /[^\s;](?:\$\$[\s\S]*?\$\$|'(?:[^']|'')*'|[^;$']|\$)*/g;

const dropPattern = /^drop\s+(table|view|function|trigger)\s+(?:if\s+exists\s+)?(\w+)(?:\s+(on)\s+(\w+))?/i;

function blankComments(text: string): string {
  return text.replace(/'(?:[^']|'')*'|--[^\n]*/g, (found) =>
    found.startsWith('--') ? ' '.repeat(found.length) : found,
  );
}

function listUses(text: string, offset: number): TableUse[] {
  return listTableUses([[{ text, offset }]]);
}

function listReferences(statement: string, offset: number): TableUse[] {
  return [...statement.matchAll(/\breferences\s+(\w+)/gi)].map((match) => ({
    name: match[1]!.toLowerCase(),
    use: 'read',
    offset: offset + match.index,
  }));
}
