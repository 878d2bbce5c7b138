import type { Operation } from '#platform/operation.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The specification's three kinds of access. */
export type Access = 'public' | 'jwt' | 'x402';

export type RowOptions = {
  /**
   * Where the fields that are not in the path come from, when it is not the method's usual place. A `form` is an
   * `application/x-www-form-urlencoded` body, and the row then takes no JSON.
   */
  readonly from?: 'query' | 'form';
};

/** One line of the API table. A row without an operation is specified and not built yet: it answers 501. */
export type Row = {
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly operation: Operation | undefined;
  readonly options: RowOptions;
};

/** A path of the API and the operation behind it. `{name}` in the path is the input field of that name. */
export function row(
  method: Method,
  path: string,
  access: Access,
  operation: Operation,
  options: RowOptions = {},
): Row {
  if ((access === 'public') !== (operation.who === 'anyone'))
    throw new Error(
      `${method} ${path} is ${access} in the table, and ${operation.name} lets in ${String(operation.who)}`,
    );
  return { method, path, access, operation, options };
}

/** A row of the specification whose operation is still to be built. */
export function pending(method: Method, path: string, access: Access): Row {
  return { method, path, access, operation: undefined, options: {} };
}

/** The names in a path: `/matches/{match_id}` has `match_id`. */
export function listPathFields(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
}

/** Where a row's remaining fields travel. */
export function findFieldLocation({ method, options }: Pick<Row, 'method' | 'options'>): 'query' | 'body' {
  if (options.from === 'form') return 'body';
  return options.from ?? (method === 'GET' || method === 'DELETE' ? 'query' : 'body');
}
