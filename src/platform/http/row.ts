import type { ApiRow } from '#lib/api-row.ts';
import type { Limit } from '#platform/limits/rate-windows.ts';
import type { Operation } from '#platform/operation.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The three kinds of access in the specification. */
export type Access = 'public' | 'jwt' | 'x402';

export type RowOptions = {
  /**
   * The source of the fields that are not in the path, if it differs from the method's default. A `form` is an
   * `application/x-www-form-urlencoded` body; the row then accepts no JSON.
   */
  readonly from?: 'query' | 'form';
  /** Counts requests of this row apart, so that many of them do not reach the limit of the role. */
  readonly limit?: Limit;
  /** A browser comes here by itself, so a person reads a refusal (as a page, if it accepts HTML), and unknown fields are ignored. */
  readonly visited?: true;
  /** The name by which a service key is permitted this row, if several rows share one. */
  readonly permission?: string;
  /** Requires that the user proved within the last 15 minutes who they are, because a stolen access token must not be enough for it. */
  readonly recent_authentication?: true;
};

/** Whether a row needs MFA of platform administrators: every one except those by which a user sets it up, or that anyone may call. */
export function isMfaNeeded({ path }: Pick<Row, 'path'>, { who }: Pick<Operation, 'who'>): boolean {
  return who !== 'anyone' && who.includes('platform_admin') && !path.startsWith('/auth/');
}

/** One row of the API table. */
export type Row = {
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly operation: Operation;
  readonly options: RowOptions;
};

/** Defines a row: a path of the API and its operation. `{name}` in the path is the input field of that name. */
export function row(
  method: Method,
  path: string,
  access: Access,
  operation: Operation,
  options: RowOptions = {},
): Row {
  if ((access === 'public') !== (operation.who === 'anyone'))
    throw new Error(
      `${method} ${path} is ${access} in the table, but ${operation.name} permits ${String(operation.who)}`,
    );
  return { method, path, access, operation, options };
}

/** The name of a row, by which permissions name it: `GET /auth/me`, or the one that it shares with others. */
export function nameRow({ method, path, options }: Pick<Row, 'method' | 'path' | 'options'>): string {
  return options.permission ?? `${method} ${path}`;
}

/** Describes a row for modules, which do not see the table. */
export function describeRow(row: Row): ApiRow {
  const { who, name: operation } = row.operation;
  return {
    name: nameRow(row),
    path: row.path,
    operation,
    roles: who === 'anyone' ? [] : who,
    needs_person: row.options.recent_authentication === true,
  };
}

/** Lists the field names in a path: `/notes/{note_id}` has `note_id`. */
export function listPathFields(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
}

/** Returns where a request of this row carries the fields that are not in the path. */
export function findFieldLocation({ method, options }: Pick<Row, 'method' | 'options'>): 'query' | 'body' {
  if (options.from === 'form') return 'body';
  return options.from ?? (method === 'GET' || method === 'DELETE' ? 'query' : 'body');
}
