import type { Source } from './source.ts';

/** What a statement does with a table or a view. A lock is also a read. */
export type TableUse = {
  readonly name: string;
  readonly use: 'read' | 'write' | 'lock';
  readonly offset: number;
};

/** A piece of SQL with its offset in its file. Interpolated values are one `$`, padded with spaces. */
type Piece = { readonly text: string; readonly offset: number };

/** A statement: its own text first or last, and the fragments that are written inside its interpolations. */
export type SqlStatement = readonly Piece[];

/** The name of a table that only the running program knows. */
export const interpolatedName = '$';

/** Lists the statements of a file: its sql`…` templates, and what it passes to `.query(…)` as a literal. */
export function listStatements({ bare, code }: Source): SqlStatement[] {
  return [...listTemplates(bare, code), ...listQueryLiterals(bare, code)];
}

type Frame =
  | { readonly kind: 'brace' }
  | { readonly kind: 'interpolation'; readonly start: number }
  | {
      readonly kind: 'template';
      readonly start: number;
      readonly isSql: boolean;
      readonly interpolations: (readonly [start: number, end: number])[];
    };

/** Walks once over the code, where only what structures it is left of strings and templates. */
function listTemplates(bare: string, code: string): SqlStatement[] {
  const statements: SqlStatement[] = [];
  const frames: Frame[] = [];
  let fragments: Piece[] = [];
  for (const { index, 0: mark } of code.matchAll(/\$\{|[`{}]/g)) {
    const top = frames.at(-1);
    if (mark === '`' && top?.kind === 'template') {
      frames.pop();
      if (!top.isSql) continue;
      fragments.push({ text: blankInterpolations(bare, top, index), offset: top.start });
      if (frames.some((frame) => frame.kind === 'template' && frame.isSql)) continue;
      statements.push(fragments);
      fragments = [];
    } else if (mark === '`') {
      frames.push({
        kind: 'template',
        start: index + 1,
        isSql: isSqlTemplate(code, index),
        interpolations: [],
      });
    } else if (mark === '${') {
      frames.push({ kind: 'interpolation', start: index });
    } else if (mark === '{') {
      frames.push({ kind: 'brace' });
    } else {
      const closed = frames.pop();
      const outer = frames.at(-1);
      if (closed?.kind === 'interpolation' && outer?.kind === 'template')
        outer.interpolations.push([closed.start, index + 1]);
    }
  }
  return statements;
}

function blankInterpolations(
  bare: string,
  { start, interpolations }: Frame & { readonly kind: 'template' },
  end: number,
): string {
  let text = '';
  let done = start;
  for (const [from, to] of interpolations) {
    text += bare.slice(done, from) + interpolatedName.padEnd(to - from);
    done = to;
  }
  return text + bare.slice(done, end);
}

/** Whether the template that begins here is tagged with `sql`, with or without a type argument, or is the text of a query. */
function isSqlTemplate(code: string, backtick: number): boolean {
  let end = skipSpaces(code, backtick - 1);
  if (code[end] === '>') end = skipSpaces(code, findTypeArguments(code, end) - 1);
  return /(?:^|[^\w.])sql$|\.query\($/.test(code.slice(Math.max(0, end - 9), end + 1));
}

function skipSpaces(code: string, start: number): number {
  let at = start;
  while (at >= 0 && /\s/.test(code[at]!)) at--;
  return at;
}

/** Where the type arguments begin that end at a bracket. */
function findTypeArguments(code: string, end: number): number {
  let depth = 0;
  for (let at = end; at >= 0; at--) {
    if (code[at] === '>' && code[at - 1] !== '=') depth++;
    if (code[at] === '<' && --depth === 0) return at;
  }
  return 0;
}

function listQueryLiterals(bare: string, code: string): SqlStatement[] {
  return [...code.matchAll(/\.query\s*(?:<[^()`;]{0,200}>)?\(\s*(['"])/g)].map((match) => {
    const offset = match.index + match[0].length;
    return [{ text: bare.slice(offset, code.indexOf(match[1]!, offset)), offset }];
  });
}

/**
 * Lists what the statements of a file do with which tables and views. The names of a statement's own common table expressions are left out.
 * A lock of an alias that the statement itself does not have is a lock of what has this alias in a fragment of the same file.
 */
export function listTableUses(statements: readonly SqlStatement[]): TableUse[] {
  const parsed = statements.map((statement) => {
    const pieces = statement.map((piece) => parseUses(splitTokens(piece)));
    const own = new Set(pieces.flatMap(({ expressions }) => expressions));
    const tables = pieces.flatMap((piece) => piece.tables).filter(({ use }) => !own.has(use.name));
    return { tables, locks: pieces.flatMap(({ locks }) => locks) };
  });
  const all = parsed.flatMap(({ tables }) => tables);
  return parsed.flatMap(({ tables, locks }) => [
    ...tables.map(({ use }) => use),
    ...locks.flatMap((lock) => listLocked(lock, tables, all)),
  ]);
}

function listLocked(
  { names, group, offset }: Lock,
  tables: readonly NamedTable[],
  all: readonly NamedTable[],
): TableUse[] {
  const locked =
    names.length === 0
      ? tables.filter(({ groups }) => groups.includes(group))
      : names.flatMap((name) => {
          const own = tables.filter(({ alias }) => alias === name);
          return own.length > 0 ? own : all.filter(({ alias }) => alias === name);
        });
  if (locked.length === 0) return [{ name: interpolatedName, use: 'lock', offset }];
  return locked.map(({ use }) => ({ name: use.name, use: 'lock', offset }));
}

/** Lists the words of a statement, in lower case: names, keywords and functions, without strings and comments. */
export function listWords(statement: SqlStatement): Token[] {
  return statement.flatMap(splitTokens).filter(({ text }) => /^\w/.test(text));
}

export type Token = { readonly text: string; readonly offset: number };

const tokenPattern = /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|(?<word>[a-z_]\w*(?:\.[a-z_]\w*)*)|[(),;$]|[^\s\w]/gi;

function splitTokens({ text, offset }: Piece): Token[] {
  return [...text.matchAll(tokenPattern)].flatMap(({ 0: found, index, groups }) => {
    if (found.startsWith('--') || found.startsWith("'")) return [];
    return [{ text: groups?.['word']?.toLowerCase() ?? found, offset: offset + index }];
  });
}

/** A table with the alias that it has in its statement, and the parentheses around it. */
type NamedTable = { readonly use: TableUse; readonly alias: string; readonly groups: readonly Group[] };

/** A clause such as `for update of a, b`; without names it locks every table of its group. */
type Lock = { readonly names: readonly string[]; readonly group: Group; readonly offset: number };

/** What is between two parentheses, or the whole statement. */
type Group = {
  /** The word before the parenthesis. */
  readonly opener: string;
  /** Whether a comma is followed by another table. */
  inTables: boolean;
  verb: 'read' | 'write';
};

type ParsedUses = {
  readonly tables: readonly NamedTable[];
  readonly locks: readonly Lock[];
  /** The names of common table expressions. */
  readonly expressions: readonly string[];
};

/** The functions whose arguments are separated by `from`. */
const fromFunctions: ReadonlySet<string> = new Set(['substring', 'extract', 'trim', 'overlay']);

const clauseWords: ReadonlySet<string> = new Set(
  'where group order limit offset fetch union except intersect having window returning set values select then loop'.split(
    ' ',
  ),
);

const aliasEnds: ReadonlySet<string> = new Set([
  ...clauseWords,
  ...'on using join left right full inner cross natural for as in do default'.split(' '),
]);

function parseUses(tokens: readonly Token[]): ParsedUses {
  const tables: NamedTable[] = [];
  const locks: Lock[] = [];
  const expressions: string[] = [];
  const groups: Group[] = [createGroup('')];
  const read = (at: number) => tokens[at]?.text ?? '';

  /** Adds the table that is named at a place, if one is. */
  const addTable = (place: number, use: 'read' | 'write') => {
    let at = place;
    while (['only', 'lateral', 'table'].includes(read(at))) at++;
    if (read(at) === '(' && /^(?!select$|with$|values$)[a-z_]/.test(read(at + 1))) at++;
    const name = read(at).replaceAll('"', '');
    if (!/^[a-z_$]/i.test(name) || (use === 'read' && read(at + 1) === '(')) return;
    const after = read(at + 1) === 'as' ? read(at + 2) : read(at + 1);
    const alias = /^[a-z_]/.test(after) && !aliasEnds.has(after) ? after : name;
    tables.push({ use: { name, use, offset: tokens[at]!.offset }, alias, groups: [...groups] });
  };

  for (const [at, { text, offset }] of tokens.entries()) {
    const before = read(at - 1);
    const group = groups.at(-1)!;
    if (text === '(') groups.push(createGroup(before));
    else if (text === ')' && groups.length > 1) groups.pop();
    else if (text === ';' || clauseWords.has(text)) group.inTables = false;
    else if (text === ',' && group.inTables) addTable(at + 1, group.verb);
    else if (text === 'from' && before !== 'distinct' && !fromFunctions.has(group.opener)) {
      const isDeletion = before === 'delete';
      Object.assign(group, { inTables: true, verb: 'read' });
      addTable(at + 1, isDeletion ? 'write' : 'read');
    } else if (text === 'join' || (text === 'using' && read(at + 1) !== '(' && group.inTables))
      addTable(at + 1, 'read');
    else if (text === 'into' && ['insert', 'merge'].includes(before)) {
      group.inTables = before === 'merge';
      addTable(at + 1, 'write');
    } else if (text === 'update' && !['for', 'key', 'do', 'then'].includes(before)) addTable(at + 1, 'write');
    else if (text === 'table' && ['', '(', 'union', 'all'].includes(before)) addTable(at + 1, 'read');
    else if (text === 'truncate' || (text === 'lock' && read(at + 1) === 'table')) {
      Object.assign(group, { inTables: true, verb: 'write' });
      addTable(at + 1, 'write');
    } else if (text === 'for' && /^(?:update|share|no|key)$/.test(read(at + 1)))
      locks.push({ names: listLockedNames(tokens, at), group, offset });
    if (isExpressionName(tokens, at)) expressions.push(text);
  }
  return { tables, locks, expressions };
}

function createGroup(opener: string): Group {
  return { opener, inTables: false, verb: 'read' };
}

function listLockedNames(tokens: readonly Token[], start: number): string[] {
  let at = start + 1;
  while (/^(?:no|key|update|share)$/.test(tokens[at]?.text ?? '')) at++;
  const named: string[] = [];
  if (tokens[at]?.text === 'of')
    do named.push(tokens[at + 1]?.text ?? '');
    while (tokens[(at += 2)]?.text === ',');
  return named;
}

/** Whether a word names a common table expression: `with <name> as (`, `, <name> as materialized (` or `recursive <name> (<column>) as (`. */
function isExpressionName(tokens: readonly Token[], start: number): boolean {
  const read = (at: number) => tokens[at]?.text ?? '';
  const before = read(start - 1);
  if (!['with', 'recursive', ','].includes(before) || !/^[a-z_]/.test(read(start))) return false;
  let at = start + 1;
  if (before !== ',' && read(at) === '(') {
    while (at < tokens.length && read(at) !== ')') at++;
    at++;
  }
  return read(at) === 'as' && ['(', 'materialized', 'not'].includes(read(at + 1));
}
