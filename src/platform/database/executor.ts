import type pg from 'pg';
import { throwTranslated } from '#platform/database/errors.ts';
import type { Statement } from '#platform/database/sql.ts';

/** Runs statements that only read. */
export type Reader = {
  /** Returns all rows. The statement limits their number. */
  list<Row>(statement: Statement<Row>): Promise<Row[]>;
  /** Returns the first row, or undefined. */
  find<Row>(statement: Statement<Row>): Promise<Row | undefined>;
  /** Returns the only row. Any other number of rows is a defect. */
  one<Row>(statement: Statement<Row>): Promise<Row>;
  /** Returns the count in the only row. */
  count(statement: Statement<{ count: number }>): Promise<number>;
};

/** Runs statements: each on its own in the database, or all in one transaction. */
export type Executor = Reader & {
  /** Runs a statement. @returns the number of rows that were written. */
  run(statement: Statement): Promise<number>;
};

/** Builds an executor that sends statements by a function. */
export function buildExecutor(send: (statement: Statement) => Promise<pg.QueryResult>): Executor {
  const query = async (statement: Statement) => {
    try {
      return await send(statement);
    } catch (error) {
      return throwTranslated(error);
    }
  };
  // The type of the rows is what the statement declares.
  const list = async <Row>(statement: Statement<Row>) => (await query(statement)).rows as Row[];
  return {
    list,
    find: async <Row>(statement: Statement<Row>) => (await query(statement)).rows[0] as Row | undefined,
    one: async <Row>(statement: Statement<Row>) => requireOneRow(await list(statement)),
    count: async (statement) => requireOneRow(await list(statement)).count,
    run: async (statement) => (await query(statement)).rowCount ?? 0,
  };
}

/** Builds the query of a statement, which has a name, so that a connection prepares it once. */
export function toQuery(statement: Statement): pg.QueryConfig {
  // pg does not change the values, but its types are not readonly.
  return { name: statement.name, text: statement.text, values: statement.values as unknown[] };
}

function requireOneRow<Row>(rows: readonly Row[]): Row {
  if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
  return rows[0]!;
}
