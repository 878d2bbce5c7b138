import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { computeLine, isTest, listFiles } from '../scripts/tidy/source.ts';

/** A regular expression and where it is written: `src/lib/csv.ts:12`, or the name of an operation and the field. */
export type Pattern = { readonly where: string; readonly source: string; readonly flags: string };

/** What a file has: its patterns, and the places that build a pattern that cannot be read from the text. */
export type FoundPatterns = { readonly patterns: readonly Pattern[]; readonly unreadable: readonly string[] };

const root = path.dirname(import.meta.dirname);

/** Finds the patterns of all files of `src` except tests. */
export function findSourcePatterns(): FoundPatterns {
  const files = listFiles(root, 'src', /\.[jt]s$/).filter((file) => !isTest(file));
  const found = files.map((file) => findPatterns(file, readFileSync(path.join(root, file), 'utf8')));
  return {
    patterns: found.flatMap(({ patterns }) => patterns),
    unreadable: found.flatMap(({ unreadable }) => unreadable),
  };
}

/**
 * Finds the regular expressions of a file: literals, the texts of `pattern` properties, of `new RegExp`, of `patternText` and of constants
 * whose name ends with `pattern`. `new RegExp` of anything except a text or such a constant is unreadable.
 */
export function findPatterns(file: string, text: string): FoundPatterns {
  const patterns: Pattern[] = [];
  const unreadable: string[] = [];
  const locate = (offset: number) => `${file}:${computeLine(text, offset)}`;
  const addText = (node: Node, flags = 'u') => {
    const source = readText(node);
    if (source !== undefined) patterns.push({ where: locate(node.start), source, flags });
    return source !== undefined;
  };
  const addCall = ({ callee, arguments: [first, second], start }: Call) => {
    if (callee.type !== 'Identifier' || first === undefined) return;
    if (callee.name === 'patternText') addText(first);
    if (callee.name !== 'RegExp' || addText(first, second ? readText(second) : '')) return;
    const isNamed = first.type === 'Identifier' && /pattern$/i.test(String(first.name));
    if (!isNamed) unreadable.push(locate(start));
  };
  new Visitor({
    Literal: (node) => {
      if (!('regex' in node)) return;
      patterns.push({ where: locate(node.start), source: node.regex.pattern, flags: node.regex.flags });
    },
    Property: ({ key, value }) => {
      if (key.type === 'Identifier' && key.name === 'pattern') addText(value);
    },
    VariableDeclarator: ({ id, init }) => {
      if (init && id.type === 'Identifier' && /pattern$/i.test(id.name)) addText(init);
    },
    NewExpression: (node) => addCall(node),
    CallExpression: (node) => addCall(node),
  }).visit(parseSync(file, text).program);
  return { patterns, unreadable };
}

type Node = { readonly type: string; readonly start: number; readonly name?: unknown };
type Call = { readonly callee: Node; readonly arguments: readonly Node[]; readonly start: number };

/** Reads a text literal, or several joined with `+`. */
function readText(node: Node): string | undefined {
  const { value, operator, left, right } = node as Node & {
    readonly value?: unknown;
    readonly operator?: string;
    readonly left?: Node;
    readonly right?: Node;
  };
  if (node.type === 'Literal') return typeof value === 'string' ? value : undefined;
  if (node.type !== 'BinaryExpression' || operator !== '+' || !left || !right) return undefined;
  const [start, end] = [readText(left), readText(right)];
  return start === undefined || end === undefined ? undefined : start + end;
}

/** Finds every `pattern` in a JSON schema. */
export function findSchemaPatterns(where: string, schema: unknown): readonly Pattern[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'pattern' && typeof value === 'string'
      ? [{ where, source: value, flags: 'u' }]
      : findSchemaPatterns(`${where}/${key}`, value),
  );
}
