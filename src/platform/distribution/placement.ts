/** Where the rows of each table are (`src/tables/placements.ts`): `single`, `copied`, or the column by whose value they are distributed. */
export type Placements = Readonly<Record<string, string>>;

/** Where a table is, as the rules name it. A table that is not listed is on the first node. */
export function findPlace(placements: Placements, table: string): string {
  return placements[table] ?? 'single';
}

/**
 * Names the key of a distributed table, so that rows of the same key are on one node. Members and jobs are found by `id`, and everything of theirs by
 * `member_id` or `job_id`. What the ledger holds belongs to a member or an organisation.
 */
export function nameKey(table: string, column: string): string {
  if (column === 'holder_id' || column === 'org_id') return 'member_id';
  return column === 'id' ? `${table.slice(0, -1)}_id` : column;
}

/** A foreign key, as PostgreSQL describes it. */
export type ForeignKey = {
  readonly table: string;
  readonly name: string;
  readonly target: string;
  readonly definition: string;
};

/** The columns of a foreign key, and those that they refer to, in the same order. */
export function parseForeignKey(definition: string): {
  readonly columns: readonly string[];
  readonly referred: readonly string[];
} {
  const [, columns, referred] = /\(([^)]*)\).*?\(([^)]*)\)/.exec(definition)!;
  return { columns: columns!.split(', '), referred: referred!.split(', ') };
}

/**
 * Whether Citus can keep a foreign key: between tables of the first node, between tables that are on every node, from a distributed table to one of these,
 * and between rows of the same key.
 */
export function mayRefer(placements: Placements, { table, target, definition }: ForeignKey): boolean {
  const [from, to] = [findPlace(placements, table), findPlace(placements, target)];
  if (from === 'single' || from === 'copied') return from === to;
  if (to === 'single') return false;
  // A transaction that has written members writes their organisations' jobs next, or removes both: Citus refuses it if jobs refer to them.
  if (to === 'copied') return target !== 'organisations';
  const { columns, referred } = parseForeignKey(definition);
  const position = columns.indexOf(from);
  return position >= 0 && referred[position] === to;
}
