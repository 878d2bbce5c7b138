import { sendRequest, type Connection, type PreparedRequest } from './send-request.ts';
import type { Client, Operations, Reply, RequestOptions } from './types.ts';

/** The operations of each group as `METHOD /path`, with ` key` behind it where they take an Idempotency-Key, and the type of a body that is not JSON. */
export type OperationTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** The parameters by name, and the body. */
type Input = Readonly<Record<string, unknown>>;

type Page = {
  readonly data: readonly unknown[];
  readonly pagination: { readonly next_cursor: string | null };
};

/** Creates a client with a function for each operation of the table. */
export function buildClient<All extends Operations>(
  table: OperationTable,
  connection: Connection,
): Client<All> {
  const groups = Object.entries(table).map(([group, operations]) => [
    group,
    Object.fromEntries(
      Object.entries(operations).map(([name, line]) => [name, createOperation(connection, line)]),
    ),
  ]);
  return Object.fromEntries(groups) as Client<All>;
}

function createOperation(connection: Connection, line: string) {
  const fetchReply = (input: Input = {}, options: RequestOptions = {}) =>
    callOperation(connection, line, input, options);
  const call = async (input?: Input, options?: RequestOptions) => (await fetchReply(input, options)).data;
  const readAll = async function* (input: Input = {}, options?: RequestOptions) {
    let cursor: string | null | undefined;
    do {
      const page = (await call({ ...input, ...(cursor && { cursor }) }, options)) as Page;
      yield* page.data;
      cursor = page.pagination.next_cursor;
    } while (cursor);
  };
  return Object.assign(call, { fetchReply, readAll });
}

async function callOperation(
  connection: Connection,
  line: string,
  input: Input,
  options: RequestOptions,
): Promise<Reply<unknown>> {
  const response = await sendRequest(connection, prepareRequest(line, input, options));
  const { status, headers } = response;
  return { data: await readData(response), status, headers };
}

/** Puts the input where its operation takes it: into the path, the body, or else the query. */
function prepareRequest(
  line: string,
  input: Input,
  { idempotencyKey, headers, signal }: RequestOptions,
): PreparedRequest {
  const { body, ...rest } = input;
  const parameters = rest as Parameters;
  const [method = '', path = '', ...marks] = line.split(' ');
  const body_type = marks.find((mark) => mark.includes('/')) ?? 'application/json';
  const key = idempotencyKey ?? (marks.includes('key') ? crypto.randomUUID() : undefined);
  return {
    method,
    target: `/api/v1${writeTarget(path, parameters)}`,
    headers: {
      ...(body !== undefined && { 'content-type': body_type }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...headers,
    },
    ...(body !== undefined && { body: writeBody(body, body_type) }),
    ...(signal && { signal }),
  };
}

const placeholder = /\{(\w+)\}/g;

/** Writes the path with its parameters, and what is left of them as the query. */
function writeTarget(path: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  const inPath = new Set([...path.matchAll(placeholder)].map(([, name]) => name));
  for (const [name, value] of Object.entries(parameters))
    if (!inPath.has(name) && value !== undefined) query.set(name, String(value));
  const filled = path.replaceAll(placeholder, (_, name: string) => {
    const value = parameters[name];
    // An empty value would make another path.
    if (value === undefined || value === '') throw new TypeError(`"${name}" is missing`);
    return encodeURIComponent(value);
  });
  return query.size > 0 ? `${filled}?${query.toString()}` : filled;
}

function writeBody(body: unknown, type: string): RequestInit['body'] {
  if (type === 'application/json') return JSON.stringify(body);
  if (type === 'application/x-www-form-urlencoded')
    return new URLSearchParams(body as Record<string, string>);
  return body as RequestInit['body'];
}

const jsonType = /[/+]json\b|^application\/vc\s*(?:;|$)/;

async function readData(response: Response): Promise<unknown> {
  if (response.status === 204 || response.status === 304) return undefined;
  if (!jsonType.test(response.headers.get('content-type') ?? '')) return response;
  return await response.json();
}
