import { findFieldLocation, listPathFields, type Row } from '#platform/http/row.ts';
import { buildSample, type Schema } from '#platform/openapi/build-sample.ts';
import { describeHeaders, type ResponseHeader } from '#platform/openapi/describe-headers.ts';
import { describeProblems, listRefusals, mayHaveIfMatch } from '#platform/openapi/describe-problems.ts';
import { writeField, writeOpenSchema, writeSchema, type Components } from '#platform/openapi/write-schema.ts';
import { isOtherOutput, type Operation, type OtherOutput, type Output } from '#platform/operation.ts';

/** Describes a row of the API table as an OpenAPI operation. Its named schemas are added to `components`. */
export function describeRow(row: Row, components: Components): Schema {
  const { operation, access } = row;
  const common = { tags: [readTag(row)], security: access === 'public' ? [] : [{ bearer: [] }] };
  return {
    ...common,
    operationId: operation.name,
    summary: operation.title ?? formatTitle(operation.name),
    description: describeOperation(row, operation),
    ...describeParameters(row, operation, components),
    ...describeRequestBody(row, operation, components),
    responses: {
      ...describeSuccesses(row, components),
      ...(isReadByTag(row) && { 304: notModified }),
      ...describeProblems(listRefusals(row, operation), components),
    },
  };
}

/** Whether a client that has the resource or the public document already need not load it again. */
function isReadByTag({ method, access, operation }: Row): boolean {
  return method === 'GET' && (operation.etag !== undefined || (access === 'public' && isDocument(operation)));
}

function isDocument({ output }: Operation): boolean {
  return Object.values(output).some(
    (each) => each !== null && isOtherOutput(each) && each.kind === 'document',
  );
}

/** The first part of a row's path, which groups the endpoints of the document. */
export function readTag({ path }: Row): string {
  return path.split('/')[1]!;
}

function describeOperation({ options }: Row, { who, summary }: Operation): string {
  const callers = who === 'anyone' ? 'Anyone may call this.' : `Roles: ${who.join(', ')}.`;
  const recency = options.recent_authentication
    ? ' Requires an authentication within the last 15 minutes.'
    : '';
  return `${summary} ${callers}${recency}`;
}

function describeParameters(row: Row, operation: Operation, components: Components): Schema {
  const { input, idempotent, etag, cookies, takes_payment } = operation;
  const inPath = listPathFields(row.path);
  const inQuery =
    findFieldLocation(row) === 'query'
      ? Object.keys(input.properties).filter((name) => !inPath.includes(name))
      : [];
  const describe = (where: string, name: string) => {
    const schema = input.properties[name] as unknown as Schema;
    const isRequired = (input.required ?? []).includes(name) && schema['default'] === undefined;
    return describeParameter(where, name, schema, isRequired, components);
  };
  const parameters = [
    ...inPath.map((name) => describe('path', name)),
    ...inQuery.map((name) => describe('query', name)),
    ...(idempotent ? [idempotencyKey] : []),
    ...(etag && mayHaveIfMatch(row) ? [ifMatch] : []),
    ...(isReadByTag(row) ? [ifNoneMatch] : []),
    ...(takes_payment ? [paymentSignature, payment] : []),
    ...(cookies?.reads === undefined ? [] : [describeCookie(cookies.reads)]),
  ];
  return parameters.length > 0 ? { parameters } : {};
}

function describeParameter(
  where: string,
  name: string,
  field: Schema,
  required: boolean,
  components: Components,
): Schema {
  const { description, examples, ...schema } = writeField(name, field, components);
  const example = (examples as readonly unknown[] | undefined)?.[0];
  return {
    name,
    in: where,
    required,
    ...(description !== undefined && { description }),
    schema,
    ...(example !== undefined && { example }),
  };
}

function describeHeader(name: string, description: string, example: string, maxLength = 255): Schema {
  const schema = { type: 'string', minLength: 1, maxLength };
  return { name, in: 'header', required: false, description, schema, example };
}

const sample_etag = '"V1StGXR8_Z5jdHi6B-myTQ"';

const idempotencyKey = describeHeader(
  'Idempotency-Key',
  'Makes retries safe: for a day, a repeated request with the same key gets the stored reply and does not take effect again. A key is one of the user’s or, without a login, of the network’s.',
  '8e03978e-40d5-43e8-bc93-6894a57f9324',
);

const sample_payment = 'eyJ0eF9oYXNoIjoiMHg1ZjBhNGQ4ZTlhNTMwZjZiN2MxZDJlMzQiLCJ0aW1lc3RhbXAiOjE3ODU1MzI4MDB9';

const paymentSignature = describeHeader(
  'PAYMENT-SIGNATURE',
  'The payment, as JSON in base64: the payload of the x402 protocol, version 2, `{"tx_hash", "timestamp"}` on the rails transfer and mock, or `{"balance_key"}`, a text of your choice that pays once, from the prepaid balance.',
  sample_payment,
  8_192,
);

const payment = describeHeader(
  'X-PAYMENT',
  'The same for clients of version 1 of the x402 protocol. A request has one of the two headers.',
  sample_payment,
  8_192,
);

const ifMatch = describeHeader(
  'If-Match',
  'The ETag of the resource as it was read. If the resource has changed since, the request is refused with 412 and changes nothing.',
  sample_etag,
);

const ifNoneMatch = describeHeader(
  'If-None-Match',
  'The ETag of the resource as it was read. If the resource is still the same, the reply is 304 without a body.',
  sample_etag,
);

const notModified = {
  description: 'The resource is still the one that If-None-Match names. There is no body.',
  headers: describeHeaders(['ETag']),
};

function describeCookie(name: string): Schema {
  return {
    name,
    in: 'cookie',
    required: false,
    description: 'The cookie that an earlier reply set. It is ignored if another site caused the request.',
    schema: { type: 'string', maxLength: 100 },
    example: 'Zk3Qm9s1XeYt7uRwPb2hVd5cLg8nJa4oTi6fKqE0yUw',
  };
}

function describeRequestBody(row: Row, operation: Operation, components: Components): Schema {
  const { input, samples } = operation;
  const inPath = listPathFields(row.path);
  const fields = Object.entries(input.properties).filter(([name]) => !inPath.includes(name));
  if (findFieldLocation(row) !== 'body' || fields.length === 0) return {};
  const whole = {
    type: 'object',
    properties: Object.fromEntries(fields),
    required: (input.required ?? []).filter((name) => !inPath.includes(name)),
    ...(!row.options.visited && { additionalProperties: false }),
  };
  const schema = writeSchema(whole, components);
  const media_type = row.options.from === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    requestBody: {
      required: row.method === 'PUT' || (schema['required'] as readonly string[]).length > 0,
      content: {
        [media_type]: { schema, example: samples?.request ?? buildSample(whole, components.texts.fields) },
      },
    },
  };
}

function describeSuccesses(row: Row, components: Components): Schema {
  const { operation } = row;
  return Object.fromEntries(
    Object.entries(operation.output).map(([status, output]) => [
      status,
      {
        description: meanings[status] ?? 'Success.',
        headers: describeHeaders(listHeaders(row, status, output)),
        ...describeContent(output, operation.samples?.reply, components),
      },
    ]),
  );
}

function listHeaders(row: Row, status: string, output: Output): readonly ResponseHeader[] {
  const { etag, location, cookies, idempotent, takes_payment } = row.operation;
  const isLocated = location !== undefined && (status === '201' || status === '202');
  const isRedirect = output !== null && isOtherOutput(output) && output.kind === 'redirect';
  return [
    ...(etag || isReadByTag(row) ? (['ETag'] as const) : []),
    ...(isLocated || isRedirect ? (['Location'] as const) : []),
    ...(isLocated && status === '202' ? (['Retry-After'] as const) : []),
    ...(idempotent ? (['Idempotent-Replayed'] as const) : []),
    ...(takes_payment ? (['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'] as const) : []),
    ...(cookies?.sets === undefined ? [] : (['Set-Cookie'] as const)),
  ];
}

const meanings: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted. The work continues in the background.',
  204: 'Success, without a body.',
  302: 'Redirect to the URL in the Location header.',
  303: 'Redirect to the URL in the Location header.',
};

function describeContent(output: Output, sample: unknown, components: Components): Schema {
  if (output === null) return {};
  return isOtherOutput(output)
    ? describeOtherContent(output, sample, components)
    : { content: describeJson(output as unknown as Schema, sample, components) };
}

function describeOtherContent(output: OtherOutput, sample: unknown, components: Components): Schema {
  // In OpenAPI 3.1, an empty schema means a body without a JSON structure.
  const opaque = { schema: {}, ...(sample !== undefined && { example: sample }) };
  switch (output.kind) {
    case 'redirect':
      return {};
    case 'report':
      return {
        content: {
          ...describeJson(output.schema as unknown as Schema, sample, components),
          ...describeFiles(output.media_types, { schema: {}, example: 'The same report as a file.' }),
        },
      };
    default:
      return { content: describeFiles(output.media_types, opaque) };
  }
}

function describeFiles(media_types: readonly string[], opaque: Schema): Schema {
  return Object.fromEntries(media_types.map((media_type) => [media_type.split(';', 1)[0]!, opaque]));
}

function describeJson(schema: Schema, sample: unknown, components: Components): Schema {
  // A text is the sample of a file that another status has.
  const example =
    typeof sample === 'object' && sample !== null ? sample : buildSample(schema, components.texts.fields);
  return { 'application/json': { schema: writeOpenSchema(schema, components), example } };
}

const acronyms: Readonly<Record<string, string>> = { mfa: 'MFA', sso: 'SSO', gdpr: 'GDPR' };

/** Formats the name of an operation as a short title: `notes.createNote` is "Create note". */
function formatTitle(name: string): string {
  const words = name
    .slice(name.indexOf('.') + 1)
    .split(/(?=[A-Z])/)
    .map((word) => acronyms[word.toLowerCase()] ?? word.toLowerCase());
  const title = words.join(' ');
  return title.charAt(0).toUpperCase() + title.slice(1);
}
