import type { Reader, Statement } from '#platform/database/database.ts';
import type { SharedReads } from '#platform/http/row-steps.ts';

/**
 * Shares the reads of the operations that one page calls: a statement with the same text and values is sent once. So a page with
 * several parts reads what they share once, and all its parts agree about it. What was read lasts as long as the page takes, or until an
 * operation of it writes. A failed read is not kept.
 */
export function shareReads(database: Reader): SharedReads {
  const lists = new Map<string, Promise<unknown[]>>();
  const list = <Row>(statement: Statement<Row>): Promise<Row[]> => {
    const key = JSON.stringify([statement.text, statement.values]);
    const known = lists.get(key);
    // The text decides the type of the rows.
    if (known) return known as Promise<Row[]>;
    const rows = database.list(statement);
    lists.set(key, rows);
    rows.catch(() => lists.delete(key));
    return rows;
  };
  const one = async <Row>(statement: Statement<Row>): Promise<Row> => {
    const rows = await list(statement);
    if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
    return rows[0]!;
  };
  return {
    reader: {
      list,
      find: async (statement) => (await list(statement))[0],
      one,
      count: async (statement) => (await one(statement)).count,
    },
    forget: () => lists.clear(),
  };
}
