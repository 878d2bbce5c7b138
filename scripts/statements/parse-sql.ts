import { loadModule, parseSync } from 'libpg-query';

// The parser is PostgreSQL's own, compiled to WebAssembly, which takes a few milliseconds to load.
await loadModule();

/** A node of a parse tree: its kind, such as `RangeVar`, and its fields. */
export type SqlNode = { readonly kind: string; readonly fields: Readonly<Record<string, unknown>> };

/** A statement of a text, with its place there. */
export type ParsedStatement = { readonly tree: SqlNode; readonly at: number; readonly text: string };

/**
 * Parses SQL.
 *
 * @throws an error with the reason if PostgreSQL's grammar refuses it.
 */
export function parseSql(text: string): ParsedStatement[] {
  if (text === '') return [];
  const toOffset = createOffsetReader(text);
  return (parseSync(text).stmts ?? []).map(({ stmt, stmt_location = 0, stmt_len }) => {
    const start = toOffset(stmt_location);
    const end = stmt_len === undefined ? text.length : toOffset(stmt_location + stmt_len);
    return { tree: toNode(stmt)!, at: start, text: text.slice(start, end) };
  });
}

/** The parser counts bytes. */
function createOffsetReader(text: string): (bytes: number) => number {
  const encoded = Buffer.from(text);
  if (encoded.length === text.length) return (bytes) => bytes;
  return (bytes) => encoded.subarray(0, bytes).toString().length;
}

/** Where a node begins in the text that was parsed. */
export function createLocator(text: string): (node: SqlNode) => number {
  const toOffset = createOffsetReader(text);
  return ({ fields }) => toOffset((fields['location'] as number | undefined) ?? 0);
}

/** Reads `{ SelectStmt: {…} }` as a node. */
function toNode(value: unknown): SqlNode | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const [kind, ...others] = Object.keys(value);
  if (kind === undefined || others.length > 0 || !/^[A-Z]/.test(kind)) return undefined;
  return { kind, fields: (value as Record<string, Record<string, unknown>>)[kind]! };
}

/** Lists the nodes of a field, which has one or several. Those of some fields have no kind of their own, which is then `kind`. */
export function listNodes(value: unknown, kind = ''): SqlNode[] {
  if (Array.isArray(value)) return value.flatMap((each) => listNodes(each, kind));
  const node = toNode(value);
  if (node) return [node];
  return typeof value === 'object' && value !== null
    ? [{ kind, fields: value as Record<string, unknown> }]
    : [];
}

/** The fields whose nodes have no kind of their own in the parse tree. */
const kindByField: Readonly<Record<string, string>> = {
  relation: 'RangeVar',
  alias: 'Alias',
  withClause: 'WithClause',
  larg: 'SelectStmt',
  rarg: 'SelectStmt',
  onConflictClause: 'OnConflictClause',
  typeName: 'TypeName',
  returningClause: 'ReturningClause',
  over: 'WindowDef',
  pktable: 'RangeVar',
  view: 'RangeVar',
};

/** Lists the nodes directly below a node. */
export function listChildNodes({ fields }: SqlNode): SqlNode[] {
  return Object.entries(fields).flatMap(([field, value]) =>
    typeof value === 'object' && value !== null ? listNodes(value, kindByField[field] ?? field) : [],
  );
}

/** Lists a node and all nodes below it. */
export function listAllNodes(node: SqlNode): SqlNode[] {
  return [node, ...listChildNodes(node).flatMap(listAllNodes)];
}

/** The texts of a list of names: `["matches", "id"]` of `matches.id`; `*` for a star. */
export function readNames(value: unknown): string[] {
  return listNodes(value).map(({ kind, fields }) =>
    kind === 'String' ? (fields['sval'] as string) : kind === 'A_Star' ? '*' : '',
  );
}

/** The name of a table, with its schema if it is written. */
export function readTable({ fields }: SqlNode): string {
  const { schemaname, relname } = fields as { schemaname?: string; relname: string };
  return schemaname === undefined ? relname : `${schemaname}.${relname}`;
}

/** The number of the parameter that an expression is, perhaps with a cast. */
export function readParameter(node: SqlNode | undefined): number | undefined {
  if (node?.kind === 'TypeCast') return readParameter(listNodes(node.fields['arg'])[0]);
  return node?.kind === 'ParamRef' ? (node.fields['number'] as number) : undefined;
}
