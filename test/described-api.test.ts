import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, it, test } from 'vitest';
import { additionalRows, specifiedRows } from '../src/tables/api.ts';
import { apiTexts } from '../src/tables/fields.ts';
import { closedObject, field, reason_keyword } from '#platform/schema.ts';
import { operation } from '#platform/operation.ts';
import { row, type Row } from '#platform/http/row.ts';
import { proves } from './requirements.ts';
import { resolveResponses } from './resolve-responses.ts';
import { buildOpenApiDocument } from '#platform/openapi/build-document.ts';
import { refusals } from '#lib/refusals.ts';
import { Type } from 'typebox';

type Node = Readonly<Record<string, unknown>>;
type Media = { readonly schema: Node; readonly example?: unknown };
type Described = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly (Node & { readonly name: string; readonly schema: Node })[];
  readonly requestBody?: { readonly content: Record<string, Media> };
  readonly responses: Record<
    string,
    {
      readonly description: string;
      readonly headers?: Node;
      readonly content?: Record<string, Media & { readonly examples?: Node }>;
    }
  >;
};
type Document = {
  readonly paths: Record<string, Record<string, Described>>;
  readonly servers: readonly { readonly url: string }[];
  readonly components: {
    readonly schemas: Record<string, Node>;
    readonly headers: Record<string, Node>;
    readonly examples: Record<string, { readonly value: unknown }>;
  };
};

const buildDocument = (rows: readonly Row[]) =>
  resolveResponses(
    buildOpenApiDocument(rows, 'https://tessera.example', { texts: apiTexts }),
  ) as unknown as Document;

const document = buildDocument([...specifiedRows, ...additionalRows]);

const listOperations = ({ paths }: Document) =>
  Object.values(paths).flatMap((methods) => Object.values(methods));

/** Lists the fields below a schema that have no description, or no example of their own or of their parts. */
function findSilentFields(at: string, schema: Node): string[] {
  const inner = Object.entries((schema['properties'] ?? {}) as Record<string, Node>).flatMap(
    ([name, property]) => [
      ...findSilence(`${at}.${name}`, property),
      ...findSilentFields(`${at}.${name}`, property),
    ],
  );
  const parts = [schema['items'], schema['additionalProperties'], ...((schema['anyOf'] ?? []) as unknown[])];
  return [
    ...inner,
    ...parts.flatMap((part) =>
      typeof part === 'object' && part !== null ? findSilentFields(at, part as Node) : [],
    ),
  ];
}

function findSilence(at: string, schema: Node): string[] {
  const hasParts = ['properties', 'items', 'anyOf', '$ref'].some((key) => key in schema);
  const isLeafList =
    'items' in schema &&
    !['properties', 'anyOf', '$ref', 'enum'].some((key) => key in (schema['items'] as Node));
  const isIllustrated = 'examples' in schema || (hasParts && !isLeafList);
  return [
    ...(schema['description'] === undefined ? [`${at} has no description`] : []),
    ...(isIllustrated ? [] : [`${at} has no example`]),
  ];
}

function findUndescribed(described: Document): string[] {
  const components = Object.entries(described.components.schemas);
  return [
    ...components.flatMap(([name, schema]) => findSilentFields(name, schema)),
    ...listOperations(described).flatMap(
      ({ operationId, summary, parameters = [], requestBody, responses }) => [
        ...(/^[A-Z][^.]{2,60}$/.test(summary) ? [] : [`${operationId} has no short title`]),
        ...parameters
          .filter(({ description, example }) => description === undefined || example === undefined)
          .map(({ name }) => `${operationId} does not describe its parameter ${name}`),
        ...[requestBody, ...Object.values(responses)].flatMap((body) =>
          Object.values(body?.content ?? {}).flatMap(({ schema }) => findSilentFields(operationId, schema)),
        ),
      ],
    ),
  ];
}

function findWrongSamples(described: Document): string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: 'document', components: described.components });
  const compiled = new Map<string, ValidateFunction>();
  const check = (at: string, schema: Node, sample: unknown) => {
    const text = writePointers(schema);
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as Node);
    compiled.set(text, validate);
    if (sample === undefined) return [`${at} has no sample`];
    return validate(sample) ? [] : [`${at}: ${ajv.errorsText(validate.errors)}`];
  };
  return listOperations(described).flatMap(({ operationId, parameters = [], requestBody, responses }) => [
    ...parameters.flatMap(({ name, schema, example }) => check(`${operationId} ${name}`, schema, example)),
    ...Object.entries(requestBody?.content ?? {}).flatMap(([, { schema, example }]) =>
      check(`${operationId} request`, schema, example),
    ),
    ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content).flatMap(([media_type, { schema, example, examples }]) => {
        // A ZIP file has no sample that is text.
        if (media_type === 'application/zip') return [];
        const values = examples
          ? Object.keys(examples).map((code) => described.components.examples[code]?.value)
          : [example];
        return values.flatMap((value) => check(`${operationId} ${status}`, schema, value));
      }),
    ),
  ]);
}

const writePointers = (schema: Node) =>
  JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');

test('every field has a description and an example, and every operation a short title', () => {
  expect(findUndescribed(document)).toEqual([]);
});

/** The patterns below a schema whose refusal would not say what is wanted. */
function listMutePatterns(at: string, schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { pattern, description, [reason_keyword]: reason } = schema as Node;
  const is_mute = pattern !== undefined && description === undefined && reason === undefined;
  return [
    ...(is_mute ? [at] : []),
    ...Object.entries(schema).flatMap(([key, inner]) => listMutePatterns(`${at}/${key}`, inner)),
  ];
}

test('every pattern of a request says in words what it wants, because its refusal does', () => {
  const mute = [...specifiedRows, ...additionalRows].flatMap(({ method, path, operation }) =>
    listMutePatterns(`${method} ${path}`, operation.input),
  );
  expect(mute).toEqual([]);
});

test('no two operations have the same title, because each names a form of the reference', () => {
  const titles = listOperations(document).map(({ summary }) => summary);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

test('every sample is accepted by its own schema', () => {
  expect(findWrongSamples(document)).toEqual([]);
});

test('samples are realistic: no placeholder, no overlong text', () => {
  const samples = listOperations(document).flatMap(({ requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((body) =>
      Object.values(body?.content ?? {}).map(({ example = null }) => JSON.stringify(example)),
    ),
  );
  const isPlaceholder = (sample: string) => /"string"|lorem|"foo|@example\.com|null@|\[null\]/i.test(sample);
  expect(samples.filter(isPlaceholder)).toEqual([]);
  expect(samples.flatMap((sample) => /[^"\s]{250,}/.exec(sample) ?? [])).toEqual([]);
});

test('a field with a default is optional, and every enum has a type', () => {
  const limits = listOperations(document).flatMap(({ parameters = [] }) =>
    parameters.filter(({ name }) => name === 'limit'),
  );
  expect(limits.length).toBeGreaterThan(8);
  for (const limit of limits) expect(limit['required']).toBe(false);
  const untyped: unknown[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray((value as Node)['enum']) && !('type' in value)) untyped.push(value);
    Object.values(value).forEach(visit);
  };
  visit(document);
  expect(untyped).toEqual([]);
});

test('the server is relative, so that the document is right behind every name', () => {
  expect(document.servers.map(({ url }) => url)).toEqual(['/']);
});

test('every error code of an operation has its sentence and a sample at its status', () => {
  for (const { operation, method, path } of [...specifiedRows, ...additionalRows]) {
    const { responses } = document.paths[`/api/v1${path}`]![method.toLowerCase()]!;
    for (const code of operation.refuses) {
      const [status, sentence] = refusals[code];
      expect(responses[status]!.description).toContain(`- ${code}: ${sentence}`);
      expect(Object.keys(responses[status]!.content!['application/problem+json']!.examples!)).toContain(code);
    }
  }
});

test('replies name their headers: where the new thing is, its version, the limits and the cookie', () => {
  const readHeaders = (path: string, method: string, status: number) =>
    Object.keys(document.paths[`/api/v1${path}`]![method]!.responses[status]!.headers ?? {});
  expect(readHeaders('/orgs/me/jobs', 'post', 201)).toEqual(
    expect.arrayContaining(['Location', 'ETag', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id']),
  );
  expect(readHeaders('/matches/compute', 'post', 202)).toEqual(
    expect.arrayContaining(['Location', 'Retry-After']),
  );
  expect(readHeaders('/auth/login', 'post', 200)).toContain('Set-Cookie');
  expect(readHeaders('/orgs/me/jobs', 'post', 429)).toContain('Retry-After');
  expect(readHeaders('/orgs/me/jobs', 'post', 401)).toContain('WWW-Authenticate');
  const refresh = document.paths['/api/v1/auth/refresh']!['post']!;
  expect(refresh.parameters?.map(({ name, in: where }) => [where, name])).toEqual([
    ['cookie', 'refresh_token'],
  ]);
});

it('finds a field without a description or an example, and a sample that its schema refuses', () => {
  const silent = operation({
    name: 'test.change',
    title: 'a. b',
    summary: 'Changes a thing.',
    who: ['member'],
    input: closedObject({ note: Type.String(), named: field(Type.Integer(), 'A number.', 'one') }),
    output: { 200: closedObject({ thing: Type.String() }) },
    refuses: [],
    run: async () => ({ thing: '' }),
  });
  const planted = buildDocument([row('POST', '/things', 'jwt', silent)]);
  expect(findUndescribed(planted)).toEqual([
    'test.change has no short title',
    'test.change.note has no description',
    'test.change.note has no example',
    'test.change.thing has no description',
    'test.change.thing has no example',
  ]);
  expect(findWrongSamples(planted)).toEqual([
    'test.change request: data/note must be string, data/named must be integer',
    'test.change 200: data/thing must be string',
  ]);
});

/** The fields that the specification marks with an asterisk, by operation. */
const marked: Readonly<Record<string, readonly string[]>> = {
  'POST /auth/register': ['email', 'password'],
  'POST /auth/login': ['email', 'password'],
  'GET /credentials/verify': ['token'],
};

test.each(Object.entries(marked))('the marked fields of %s are required', (name, fields) => {
  proves('surface-asterisk-marks-required');
  const [method, path] = name.split(' ') as [string, string];
  const { parameters = [], requestBody } = document.paths[`/api/v1${path}`]![method.toLowerCase()]!;
  const body = requestBody?.content['application/json']?.schema['required'] ?? [];
  const required = parameters.filter((each) => each['required'] === true).map((each) => each.name);
  expect([...(body as string[]), ...required]).toEqual(expect.arrayContaining([...fields]));
});

/** Lists the places of each object schema that has no name, by its content without the words. */
function listUnnamedObjects(described: Document): string[][] {
  const places = new Map<string, string[]>();
  const visit = (at: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('properties' in value && 'type' in value) {
      const content = JSON.stringify(value, (key, inner: unknown) =>
        key === 'description' && typeof inner === 'string' ? undefined : inner,
      );
      places.set(content, [...(places.get(content) ?? []), at]);
    }
    for (const [key, inner] of Object.entries(value)) visit(`${at}/${key}`, inner);
  };
  for (const each of listOperations(described)) visit(each.operationId, each.responses);
  return [...places.values()];
}

test('an object that more than three replies contain has a name, so that generated clients have one type for it', () => {
  const repeated = listUnnamedObjects(document).filter((places) => places.length > 3);
  expect(repeated).toEqual([]);
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(['Match', 'MatchPage', 'Pagination', 'Login', 'Passkey']),
  );
});
