import { listAllNodes, listNodes, readParameter, readTable, type SqlNode } from './parse-sql.ts';

/** An insert: its table and the columns that it gives; undefined if it names none, and so gives all. */
export type Insertion = { readonly table: string; readonly columns: readonly string[] | undefined };

/** A parameter that is stored in a column as it is. */
export type Assignment = { readonly table: string; readonly column: string; readonly parameter: number };

/** Lists the inserts of a statement. */
export function listInsertions(tree: SqlNode): Insertion[] {
  return listInsertNodes(tree).map(({ table, columns }) => ({ table, columns }));
}

/** Lists the parameters that a statement stores in a column as they are. */
export function listAssignments(tree: SqlNode): Assignment[] {
  return [...listInsertNodes(tree).flatMap(listInserted), ...listAllNodes(tree).flatMap(listUpdated)];
}

type InsertNode = Insertion & { readonly rows: readonly (readonly SqlNode[])[] };

function listInsertNodes(tree: SqlNode): InsertNode[] {
  return listAllNodes(tree).flatMap(({ kind, fields }) => {
    if (kind !== 'InsertStmt') return [];
    const [source] = listNodes(fields['selectStmt']);
    const names = listNodes(fields['cols']).map((column) => column.fields['name'] as string);
    return [
      {
        table: readTable(listNodes(fields['relation'], 'RangeVar')[0]!),
        columns: names.length === 0 ? undefined : names,
        rows: source ? listRows(source) : [],
      },
    ];
  });
}

/** The rows of `values (…), (…)`, or what a query selects. */
function listRows({ fields }: SqlNode): SqlNode[][] {
  const values = listNodes(fields['valuesLists']).map((list) => listNodes(list.fields['items']));
  const selected = listNodes(fields['targetList']).flatMap((target) => listNodes(target.fields['val']));
  return values.length > 0 ? values : [selected];
}

function listInserted({ table, columns = [], rows }: InsertNode): Assignment[] {
  return rows.flatMap((row) =>
    row.flatMap((node, index) => {
      const [parameter, column] = [readParameter(node), columns[index]];
      return parameter === undefined || column === undefined ? [] : [{ table, column, parameter }];
    }),
  );
}

function listUpdated({ kind, fields }: SqlNode): Assignment[] {
  if (kind !== 'UpdateStmt') return [];
  const table = readTable(listNodes(fields['relation'], 'RangeVar')[0]!);
  return listNodes(fields['targetList']).flatMap((target) => {
    const parameter = readParameter(listNodes(target.fields['val'])[0]);
    return parameter === undefined ? [] : [{ table, column: target.fields['name'] as string, parameter }];
  });
}
