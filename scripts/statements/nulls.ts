import { listAllNodes, listNodes, readNames, type SqlNode } from './parse-sql.ts';
import { readAlias } from './table-uses.ts';

/** What the text of a statement says about nulls in its result. */
export type Nulls = {
  /** Whether the column at an index can be null whatever its table says, for example because of an outer join. */
  readonly canBeNull: (index: number) => boolean;
  /** Whether the column at an index is nothing but null. */
  readonly isNull: (index: number) => boolean;
  /** Whether the conditions of the statement leave out the rows in which a column is null. */
  readonly isLeftOut: (column: string) => boolean;
};

/** Reads what a statement says about nulls. What it does not understand, it takes for a value. */
export function readNulls(tree: SqlNode): Nulls {
  const branches = listBranches(tree).map((query) => {
    const targets = listTargets(query);
    const outer = new Set(listNodes(query.fields['fromClause']).flatMap((each) => listOuter(each, false)));
    return targets.map((target) => canTargetBeNull(query, target, outer));
  });
  const targets = listBranches(tree).map(listTargets);
  const leftOut = new Set(listSources(tree).flatMap(listLeftOut));
  return {
    canBeNull: (index) => branches.some((branch) => branch[index] === true),
    isNull: (index) => targets.length > 0 && targets.every((branch) => isNullConstant(branch[index])),
    isLeftOut: (column) => leftOut.has(column),
  };
}

/** The queries of a union, or the one statement that returns the rows. */
function listBranches(tree: SqlNode): SqlNode[] {
  if (tree.kind !== 'SelectStmt' || tree.fields['op'] === 'SETOP_NONE' || tree.fields['op'] === undefined)
    return [tree];
  return ['larg', 'rarg'].flatMap((side) => listNodes(tree.fields[side], 'SelectStmt').flatMap(listBranches));
}

/** The expressions of the result; none if a star hides their number. */
function listTargets({ kind, fields }: SqlNode): SqlNode[] {
  const list =
    kind === 'SelectStmt'
      ? fields['targetList']
      : listNodes(fields['returningClause'], 'ReturningClause').flatMap((clause) => clause.fields['exprs']);
  const targets = listNodes(list).flatMap((target) => listNodes(target.fields['val']));
  return targets.some((each) => each.kind === 'ColumnRef' && readNames(each.fields['fields']).includes('*'))
    ? []
    : targets;
}

/** The names of what an outer join may leave without a row. */
function listOuter({ kind, fields }: SqlNode, isOuter: boolean): string[] {
  if (kind !== 'JoinExpr') {
    const alias = fields['alias'] as { readonly aliasname: string } | undefined;
    const name = kind === 'RangeVar' ? readAlias({ kind, fields }) : alias?.aliasname;
    return isOuter && name !== undefined ? [name] : [];
  }
  const [left] = listNodes(fields['larg']);
  const [right] = listNodes(fields['rarg']);
  const type = fields['jointype'];
  return [
    ...listOuter(left!, isOuter || type === 'JOIN_RIGHT' || type === 'JOIN_FULL'),
    ...listOuter(right!, isOuter || type === 'JOIN_LEFT' || type === 'JOIN_FULL'),
  ];
}

/** Aggregates that are null if they are given no row. */
const aggregates: ReadonlySet<string> = new Set([
  'array_agg',
  'avg',
  'bool_and',
  'bool_or',
  'jsonb_agg',
  'jsonb_object_agg',
  'json_agg',
  'max',
  'min',
  'string_agg',
  'sum',
]);

function canTargetBeNull(query: SqlNode, target: SqlNode, outer: ReadonlySet<string>): boolean {
  const { kind, fields } = target;
  const isAnyNull = (value: unknown) => listNodes(value).some((each) => canTargetBeNull(query, each, outer));
  switch (kind) {
    case 'TypeCast':
      return isAnyNull(fields['arg']);
    case 'A_Const':
      return isNullConstant(target);
    case 'ColumnRef': {
      const names = readNames(fields['fields']);
      return names.length > 1 && outer.has(names.at(-2)!);
    }
    case 'FuncCall':
      return (
        aggregates.has(readNames(fields['funcname']).at(-1)!) &&
        fields['over'] === undefined &&
        (query.fields['groupClause'] === undefined || fields['agg_filter'] !== undefined)
      );
    case 'CaseExpr':
      return (
        fields['defresult'] === undefined ||
        isAnyNull(fields['defresult']) ||
        listNodes(fields['args']).some((when) => isAnyNull(when.fields['result']))
      );
    case 'CoalesceExpr':
      return listNodes(fields['args']).every((each) => canTargetBeNull(query, each, outer));
    case 'SubLink':
      return fields['subLinkType'] === 'EXPR_SUBLINK' && canQueryBeNull(listNodes(fields['subselect'])[0]!);
    case 'A_Expr':
      return fields['kind'] === 'AEXPR_NULLIF' || readNames(fields['name']).at(-1) === '->>';
    default:
      return false;
  }
}

/** Whether a query in the place of a value can yield null: it finds no row, unless it aggregates. */
function canQueryBeNull(query: SqlNode): boolean {
  const [target] = listTargets(query);
  const isOneRow = query.fields['groupClause'] === undefined && query.fields['limitCount'] === undefined;
  const isAggregated =
    target !== undefined &&
    listAllNodes(target).some(
      ({ kind, fields }) =>
        kind === 'FuncCall' &&
        (aggregates.has(readNames(fields['funcname']).at(-1)!) ||
          readNames(fields['funcname']).at(-1) === 'count'),
    );
  const hasSource = query.fields['fromClause'] !== undefined;
  if (hasSource && !(isAggregated && isOneRow)) return true;
  return target !== undefined && canTargetBeNull(query, target, new Set());
}

function isNullConstant(node: SqlNode | undefined): boolean {
  if (node?.kind === 'TypeCast') return isNullConstant(listNodes(node.fields['arg'])[0]);
  return node?.kind === 'A_Const' && node.fields['isnull'] === true;
}

/** The statement itself, and the queries that it reads its rows from. */
function listSources(tree: SqlNode): SqlNode[] {
  const { fields } = tree;
  const expressions = listNodes(fields['withClause'], 'WithClause').flatMap(({ fields: { ctes } }) =>
    listNodes(ctes).flatMap((each) => listNodes(each.fields['ctequery'])),
  );
  const from = ['fromClause', 'usingClause']
    .flatMap((clause) => listNodes(fields[clause]))
    .flatMap(listRangeNodes)
    .flatMap(({ kind, fields: range }) => (kind === 'RangeSubselect' ? listNodes(range['subquery']) : []));
  return [tree, ...[...expressions, ...from, ...listOperands(tree)].flatMap(listSources)];
}

function listOperands(tree: SqlNode): SqlNode[] {
  const branches = listBranches(tree);
  return branches[0] === tree ? [] : branches;
}

function listRangeNodes(node: SqlNode): SqlNode[] {
  return node.kind === 'JoinExpr'
    ? ['larg', 'rarg'].flatMap((side) => listNodes(node.fields[side]).flatMap(listRangeNodes))
    : [node];
}

/** The names of columns that the conditions of one query require to have a value. */
function listLeftOut({ fields }: SqlNode): string[] {
  const joins = listNodes(fields['fromClause'])
    .flatMap(listAllNodes)
    .filter((each) => each.kind === 'JoinExpr' && each.fields['jointype'] === 'JOIN_INNER');
  return [
    ...listNodes(fields['whereClause']),
    ...joins.flatMap((join) => listNodes(join.fields['quals'])),
  ].flatMap(listRequired);
}

const strictKinds: ReadonlySet<unknown> = new Set([
  'AEXPR_OP',
  'AEXPR_OP_ANY',
  'AEXPR_OP_ALL',
  'AEXPR_IN',
  'AEXPR_LIKE',
  'AEXPR_ILIKE',
  'AEXPR_BETWEEN',
]);

function listRequired(condition: SqlNode): string[] {
  const { kind, fields } = condition;
  const readColumn = (value: unknown) =>
    listNodes(value).flatMap((each) =>
      each.kind === 'ColumnRef' ? readNames(each.fields['fields']).slice(-1) : [],
    );
  if (kind === 'BoolExpr' && fields['boolop'] === 'AND_EXPR')
    return listNodes(fields['args']).flatMap(listRequired);
  if (kind === 'NullTest' && fields['nulltesttype'] === 'IS_NOT_NULL') return readColumn(fields['arg']);
  if (kind !== 'A_Expr' || !strictKinds.has(fields['kind'] ?? 'AEXPR_OP')) return [];
  return [...readColumn(fields['lexpr']), ...readColumn(fields['rexpr'])];
}
