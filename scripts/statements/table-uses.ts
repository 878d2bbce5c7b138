import {
  createLocator,
  listAllNodes,
  listChildNodes,
  listNodes,
  readNames,
  readTable,
  type SqlNode,
} from './parse-sql.ts';

/** What a statement does with a table or a view. A lock is also a read. `at` is its place in the text. */
export type TableUse = {
  readonly name: string;
  readonly use: 'read' | 'write' | 'lock';
  readonly at: number;
};

const writes: ReadonlySet<string> = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);

/** Lists what a statement does with which tables and views, without the names of its own common table expressions. */
export function listTableUses(tree: SqlNode, text: string): TableUse[] {
  const locate = createLocator(text);
  const own = new Set(
    listAllNodes(tree)
      .filter(({ kind }) => kind === 'CommonTableExpr')
      .map(({ fields }) => fields['ctename'] as string),
  );
  const toUse = (table: SqlNode, use: TableUse['use']): TableUse[] => {
    const name = readTable(table);
    return own.has(name) ? [] : [{ name, use, at: locate(table) }];
  };
  const visit = (node: SqlNode): TableUse[] => {
    if (node.kind === 'RangeVar') return toUse(node, 'read');
    // The tables of a lock are found below, and a grant uses none.
    if (node.kind === 'LockingClause' || node.kind === 'GrantStmt') return [];
    if (node.kind === 'TruncateStmt' || node.kind === 'LockStmt')
      return listNodes(node.fields['relations']).flatMap((table) => toUse(table, 'write'));
    const inside = listChildNodes(node).flatMap(visit);
    const locked =
      node.kind === 'SelectStmt' ? listLocked(node).flatMap((table) => toUse(table, 'lock')) : [];
    if (!writes.has(node.kind)) return [...inside, ...locked];
    const [written] = listNodes(node.fields['relation'], 'RangeVar');
    const at = locate(written!);
    return [...toUse(written!, 'write'), ...inside.filter((use) => use.at !== at || use.use !== 'read')];
  };
  return visit(tree);
}

/** The tables that the clauses of a query such as `for update of job` lock; without names, those of its subqueries as well. */
function listLocked(query: SqlNode): SqlNode[] {
  const tables = listNodes(query.fields['fromClause'])
    .flatMap(listAllNodes)
    .filter(({ kind }) => kind === 'RangeVar');
  return listNodes(query.fields['lockingClause']).flatMap(({ fields }) => {
    const named = listNodes(fields['lockedRels']).map(readTable);
    return tables.filter((table) => named.length === 0 || named.includes(readAlias(table)));
  });
}

/** The name by which a statement refers to a table of its `from`. */
export function readAlias(table: SqlNode): string {
  const alias = table.fields['alias'] as { readonly aliasname: string } | undefined;
  return alias?.aliasname ?? (table.fields['relname'] as string);
}

/** Lists the functions that a statement calls, without their schema, with their places in the text. */
export function listCalls(tree: SqlNode, text: string): { readonly name: string; readonly at: number }[] {
  const locate = createLocator(text);
  return listAllNodes(tree)
    .filter(({ kind }) => kind === 'FuncCall')
    .map((call) => ({ name: readNames(call.fields['funcname']).at(-1)!, at: locate(call) }));
}
