import type pg from 'pg';

/** A column of a result, with the column of a table that it directly is, if it is one. */
export type ResultColumn = {
  readonly name: string;
  readonly type_id: number;
  readonly table_id: number;
  readonly place: number;
};

/** What PostgreSQL says of a statement that it has prepared: its columns, and the types of its parameters. */
export type Description = {
  readonly columns: readonly ResultColumn[];
  readonly parameter_ids: readonly number[];
};

/** Why PostgreSQL refuses a statement; `at` is the place in its text. */
export type StatementFault = { readonly message: string; readonly at: number };

type Field = {
  readonly name: string;
  readonly dataTypeID: number;
  readonly tableID: number;
  readonly columnID: number;
};

/** Has PostgreSQL prepare a statement without running it. */
export function describeStatement(
  client: pg.ClientBase,
  text: string,
): Promise<Description | StatementFault> {
  return new Promise((resolve) => {
    let columns: readonly ResultColumn[] = [];
    let parameter_ids: readonly number[] = [];
    let fault: StatementFault | undefined;
    const takeParameters = ({ dataTypeIDs }: { readonly dataTypeIDs: readonly number[] }) => {
      parameter_ids = dataTypeIDs;
    };
    const finish = (connection: pg.Connection) => {
      connection.off('parameterDescription', takeParameters);
      resolve(fault ?? { columns, parameter_ids });
    };
    client.query({
      submit: (connection: pg.Connection) => {
        connection.on('parameterDescription', takeParameters);
        connection.parse({ name: '', text, types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription: ({ fields }: { readonly fields: readonly Field[] }) => {
        columns = fields.map(({ name, dataTypeID, tableID, columnID }) => ({
          name,
          type_id: dataTypeID,
          table_id: tableID,
          place: columnID,
        }));
      },
      handleError: ({ message, position }: pg.DatabaseError, connection: pg.Connection) => {
        fault = { message, at: Number(position ?? 1) - 1 };
        finish(connection);
      },
      handleReadyForQuery: finish,
    });
  });
}
