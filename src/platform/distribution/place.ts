/** Where the rows of each table are: `single`, `copied`, or the column by whose value they are distributed. */
export type Places = Readonly<Record<string, string>>;

/** Where a table is, as the rules name it. A table that is not listed is on the first node. */
export function findPlace(places: Places, table: string): string {
  return places[table] ?? 'single';
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
  const [, columns, referred] = /^FOREIGN KEY \(([^)]*)\) REFERENCES [^(]*\(([^)]*)\)/.exec(definition)!;
  return { columns: columns!.split(', '), referred: referred!.split(', ') };
}

/**
 * Whether Citus can keep a foreign key: between tables of the first node, between tables that are on every node, from a distributed table to one of these,
 * and between rows of the same key.
 *
 * @param unreferred Tables that are on every node to which no distributed table may refer.
 */
export function mayRefer(
  places: Places,
  unreferred: readonly string[],
  { table, target, definition }: ForeignKey,
): boolean {
  const [from, to] = [findPlace(places, table), findPlace(places, target)];
  if (from === 'single' || from === 'copied') return from === to;
  if (to === 'single') return false;
  if (to === 'copied') return !unreferred.includes(target);
  const { columns, referred } = parseForeignKey(definition);
  const position = columns.indexOf(from);
  return position >= 0 && referred[position] === to;
}
