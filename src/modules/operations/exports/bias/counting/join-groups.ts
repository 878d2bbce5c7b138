import { intersection_joint, nameIntersection, not_stated, other_groups, smallest_group } from '../rules.ts';
import { countIn, everybody, mergePeople, type People } from './people.ts';

/** A row of a table: a group, with its people by the columns that they are in. */
export type GroupRow = {
  readonly group: string;
  readonly people: People;
  /** Those of them who are in the group itself. */
  readonly own: People;
  /** Whether people of groups that are not shown may be counted here: there are too few of them for a row. */
  readonly may_include_others: boolean;
};

export function countRow({ people }: Pick<GroupRow, 'people'>): number {
  return countIn(people, everybody);
}

/**
 * Joins small groups, by numbers of people alone and never by what became of them. A group of at least twenty people has a row. The others have one together
 * if they are at least twenty; otherwise they are counted with those who have not stated the attribute, or with the largest group. So everybody is in
 * one row, no row has fewer than twenty people, and nothing is left over that could be computed as the rest.
 */
export function joinSmallGroups(groups: ReadonlyMap<string, People>): readonly GroupRow[] {
  const all = [...groups].map(([group, people]) => buildRow(group, people));
  const large = all.filter((row) => countRow(row) >= smallest_group);
  const small = all.filter((row) => !large.includes(row));
  const rest = buildRow(other_groups, mergeRows(small));
  if (countRow(rest) >= smallest_group) return [...large, rest];
  const host = findHost(large);
  // The remark is there whether anybody is in a small group or not, so that it says nothing.
  const joined = host && {
    ...host,
    people: mergeRows([host, ...small]),
    may_include_others: small.length > 0,
  };
  return large.map((row) => (row === host ? joined! : row));
}

function buildRow(group: string, people: People): GroupRow {
  return { group, people, own: people, may_include_others: false };
}

const mergeRows = (rows: readonly GroupRow[]): People => mergePeople(rows.map(({ people }) => people));

/** Finds the row that takes in others: those who have not stated the attribute, or the largest group. */
export function findHost(rows: readonly GroupRow[]): GroupRow | undefined {
  return (
    rows.find(({ group }) => group === not_stated) ??
    rows.toSorted((one, other) => countRow(other) - countRow(one))[0]
  );
}

/** Joins some of the rows of a table into one. */
export function joinSomeRows(
  rows: readonly GroupRow[],
  isJoined: (row: GroupRow) => boolean,
): readonly GroupRow[] {
  const some = rows.filter(isJoined);
  const host = findHost(some);
  if (some.length < 2 || !host) return rows;
  const joined = { ...host, people: mergeRows(some), may_include_others: true };
  return rows.flatMap((row) => (row === host ? [joined] : some.includes(row) ? [] : [row]));
}

/** Two groups that somebody belongs to. */
export type GroupPair = { readonly row: string; readonly column: string; readonly people: People };

/**
 * Combines the rows of two attributes. The smallest groups of the second attribute are joined until each combined group that exists has at least twenty
 * people. Without two groups of each attribute, nothing is combined.
 */
export function combineGroups(
  rows: readonly GroupRow[],
  columns: readonly GroupRow[],
  pairs: readonly GroupPair[],
): readonly GroupRow[] {
  const ordered = columns.toSorted((one, other) => countRow(one) - countRow(other));
  for (let joined = 0; rows.length > 1 && joined < ordered.length; joined++) {
    const others = new Set(ordered.slice(0, joined).map(({ group }) => group));
    const rename = (column: string) => (others.has(column) ? other_groups : column);
    if (new Set(ordered.map(({ group }) => rename(group))).size < 2) break;
    const cells = Map.groupBy(pairs, ({ row, column }) => nameIntersection(row, rename(column)));
    const combined = [...cells].map(([group, parts]) =>
      buildRow(group, mergePeople(parts.map(({ people }) => people))),
    );
    if (combined.every((cell) => countRow(cell) >= smallest_group)) return sortCells(combined, rows);
  }
  return [];
}

function sortCells(cells: readonly GroupRow[], rows: readonly GroupRow[]): readonly GroupRow[] {
  const place = ({ group }: GroupRow) =>
    rows.findIndex((row) => row.group === group.split(intersection_joint)[0]);
  return cells.toSorted((one, other) => place(one) - place(other));
}
