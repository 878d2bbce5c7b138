import type { TObject, TSchema } from 'typebox';
import { refusals, type RefusalCode } from '#lib/refusal.ts';
import { problemSchema } from '#platform/http/problem.ts';
import { findFieldLocation, listPathFields, type Row } from '#platform/http/row.ts';
import { DocumentOutput, FileOutput, RedirectOutput, type Operation } from '#platform/operation.ts';

type Json = Readonly<Record<string, unknown>>;

/** Refusals that any request may get from the HTTP server. The lists below are for requests of a certain kind. */
const generalRefusals: readonly RefusalCode[] = [
  'request_malformed',
  'token_invalid',
  'token_expired',
  'too_many_requests',
  'internal_error',
  'account_suspended',
  'database_unavailable',
  'overloaded',
  'shutting_down',
];
const signInRefusals: readonly RefusalCode[] = [
  'authentication_required',
  'account_suspended',
  'role_not_allowed',
];
/** A path field of more than 200 characters matches no route. */
const pathFieldRefusals: readonly RefusalCode[] = ['route_not_found'];
const bodyRefusals: readonly RefusalCode[] = [
  'body_malformed',
  'body_too_large',
  'body_too_deep',
  'media_type_unsupported',
];
const idempotencyRefusals: readonly RefusalCode[] = [
  'idempotency_key_malformed',
  'idempotency_in_progress',
  'idempotency_key_reused',
];

/** Builds the OpenAPI 3.1 document of the API table. TypeBox schemas are JSON Schema, so they are used as they are. */
export function buildOpenApiDocument(rows: readonly Row[], publicUrl: string): Json {
  const components: Record<string, unknown> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const row of rows) {
    const path = `/api/v1${row.path}`;
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: liftSchemas(describeRow(row), components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tessera',
      version: '1.0.0-preview',
      description:
        'Tessera measures people fairly, matches them with work, and issues credentials that anyone can verify. The API is a preview: endpoints may change without notice.',
      contact: { name: 'The operator of this service', url: publicUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(rows.map(readTag))].map((name) => ({
      name,
      description: `Endpoints under /api/v1/${name}.`,
    })),
    paths,
    components: {
      schemas: components,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

function describeRow(row: Row): Json {
  const { operation, access } = row;
  const common = { tags: [readTag(row)], security: access === 'public' ? [] : [{ bearer: [] }] };
  if (!operation) return { ...common, ...describePendingRow(row) };
  return {
    ...common,
    operationId: operation.name,
    summary: operation.summary,
    description: describeOperation(operation),
    ...describeParameters(row, operation),
    ...describeRequestBody(row, operation.input),
    responses: { ...describeSuccesses(operation), ...describeProblems(listRefusals(row, operation)) },
  };
}

function describePendingRow(row: Row): Json {
  const name = `${row.method.toLowerCase()} ${row.path}`.replace(/[^a-z]+/gi, '_');
  const inPath = listPathFields(row.path).map((field) => ({
    name: field,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return {
    operationId: `pending.${name}`,
    summary: 'Not built yet.',
    description: 'This endpoint is specified but not built yet. It replies with status 501.',
    ...(inPath.length > 0 && { parameters: inPath }),
    responses: describeProblems([
      ...generalRefusals,
      'not_implemented',
      'field_invalid',
      ...(inPath.length > 0 ? pathFieldRefusals : []),
      ...bodyRefusals,
    ]),
  };
}

function describeOperation({ who, summary, recent_authentication }: Operation): string {
  const callers = who === 'anyone' ? 'Anyone may call this.' : `Roles: ${who.join(', ')}.`;
  const recency = recent_authentication ? ' Requires an authentication within the last 15 minutes.' : '';
  return `${summary} ${callers}${recency}`;
}

function describeParameters(row: Row, { input, idempotent, etag }: Operation): Json {
  const inPath = listPathFields(row.path);
  const inQuery =
    findFieldLocation(row) === 'query'
      ? Object.keys(input.properties).filter((name) => !inPath.includes(name))
      : [];
  const parameters = [
    ...inPath.map((name) => ({ name, in: 'path', required: true, schema: input.properties[name] })),
    ...inQuery.map((name) => ({
      name,
      in: 'query',
      required: input.required?.includes(name) ?? false,
      schema: input.properties[name],
    })),
    ...(idempotent ? [idempotencyKey] : []),
    ...(etag && mayHaveIfMatch(row) ? [ifMatch] : []),
  ];
  return parameters.length > 0 ? { parameters } : {};
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes retries safe: for a day, a repeated request with the same key gets the stored reply and does not take effect again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** Whether a row changes the resource whose ETag it returns. */
function mayHaveIfMatch({ method }: Row): boolean {
  return method === 'PATCH' || method === 'PUT';
}

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The ETag of the resource as it was read. If the resource has changed since, the request is refused with 412 and changes nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function describeRequestBody(row: Row, input: TObject): Json {
  const inPath = listPathFields(row.path);
  const fields = Object.entries(input.properties).filter(([name]) => !inPath.includes(name));
  if (findFieldLocation(row) !== 'body' || fields.length === 0) return {};
  const required = (input.required ?? []).filter((name) => !inPath.includes(name));
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields),
    required,
    additionalProperties: false,
  };
  const media_type = row.options.from === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    requestBody: {
      required: row.method === 'PUT' || required.length > 0,
      content: { [media_type]: { schema } },
    },
  };
}

function describeSuccesses({ output, etag, location }: Operation): Json {
  return Object.fromEntries(
    Object.entries(output).map(([status, schema]) => [
      status,
      {
        description: meanings[status] ?? 'Success.',
        ...describeHeaders({
          ...(etag && { ETag: 'The version of the resource, for If-Match.' }),
          ...(location && status === '201' && { Location: 'The new resource.' }),
          ...(location &&
            status === '202' && {
              Location: 'Where to follow the work.',
              'Retry-After': 'The seconds after which to look.',
            }),
        }),
        ...describeContent(schema),
      },
    ]),
  );
}

function describeHeaders(headers: Readonly<Record<string, string>>): Json {
  const entries = Object.entries(headers);
  if (entries.length === 0) return {};
  return {
    headers: Object.fromEntries(
      entries.map(([name, description]) => [
        name,
        { description, required: true, schema: { type: 'string' } },
      ]),
    ),
  };
}

const meanings: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted. The work continues in the background.',
  204: 'Success, without a body.',
  302: 'Redirect to the URL in the Location header.',
  303: 'Redirect to the URL in the Location header.',
};

function describeContent(output: TSchema | FileOutput | DocumentOutput | RedirectOutput | null): Json {
  if (output === null) return {};
  if (output instanceof RedirectOutput)
    return { headers: { Location: { required: true, schema: { type: 'string' } } } };
  // In OpenAPI 3.1, an empty schema means a body without a JSON structure.
  if (output instanceof FileOutput)
    return { content: { [output.media_type.split(';', 1)[0]!]: { schema: {} } } };
  if (output instanceof DocumentOutput)
    return {
      content: Object.fromEntries(output.media_types.map((media_type) => [media_type, { schema: {} }])),
    };
  return { content: { 'application/json': { schema: output } } };
}

function listRefusals(
  row: Row,
  { who, refuses, idempotent, recent_authentication, etag }: Operation,
): readonly RefusalCode[] {
  return [
    ...generalRefusals,
    ...(who === 'anyone' ? [] : signInRefusals),
    // Every operation refuses unknown query fields, even if it has no input.
    'field_invalid',
    ...(listPathFields(row.path).length > 0 ? pathFieldRefusals : []),
    // A body is read and checked even if the operation does not expect one.
    ...(row.method === 'GET' ? [] : bodyRefusals),
    ...(row.method === 'PUT' ? (['body_missing'] as const) : []),
    ...(idempotent ? idempotencyRefusals : []),
    ...(recent_authentication ? (['recent_authentication_required'] as const) : []),
    ...(etag && mayHaveIfMatch(row) ? (['precondition_failed'] as const) : []),
    ...refuses,
  ];
}

function describeProblems(codes: readonly RefusalCode[]): Json {
  const byStatus = Map.groupBy([...new Set(codes)], (code) => refusals[code][0]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((code) => `${code}: ${refusals[code][1]}`).join(' '),
        content: { 'application/problem+json': { schema: problemSchema } },
      },
    ]),
  );
}

function readTag({ path }: Row): string {
  return path.split('/')[1]!;
}

/** Moves every schema with an `$id` into the components, and replaces it by a reference. */
function liftSchemas(value: unknown, components: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => liftSchemas(item, components));
  if (typeof value !== 'object' || value === null) return value;
  const { $id, ...rest } = value as { $id?: string };
  const inner = Object.fromEntries(
    Object.entries(rest).map(([key, item]) => [key, liftSchemas(item, components)]),
  );
  if ($id === undefined) return inner;
  if (JSON.stringify(components[$id] ?? inner) !== JSON.stringify(inner))
    throw new Error(`two different schemas are called ${$id}`);
  components[$id] = inner;
  return { $ref: `#/components/schemas/${$id}` };
}
