import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { refusals } from '#lib/refusals.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, timestamp } from '#platform/schema.ts';
import { resolveResponses } from '#test/resolve-responses.ts';
import { buildOpenApiDocument } from './build-document.ts';
import { row } from '#platform/http/row.ts';

const thing = closedObject({ id: Type.String() }, { $id: 'Thing' });

const input = closedObject({
  thing_id: Type.String(),
  note: Type.String(),
  limit: Type.Optional(Type.Integer({ maximum: 100 })),
});

const definition = {
  name: 'test.change',
  summary: 'Changes a thing.',
  who: ['member'],
  input,
  output: { 200: thing, 202: Type.Array(thing), 204: null },
  refuses: ['job_not_found', 'job_closed'],
  run: async () => null,
} as const;

const change = operation({ ...definition, idempotent: true });

const find = operation({ ...definition, name: 'test.find', who: 'anyone' });

type Parameter = { readonly name: string; readonly in: string; readonly required: boolean };

type DescribedOperation = {
  readonly parameters: readonly Parameter[];
  readonly security: unknown;
  readonly requestBody?: { readonly content: Record<string, { schema: { properties: object } }> };
  readonly responses: Record<
    string,
    { readonly description: string; readonly content: Record<string, { schema: { items: unknown } }> }
  >;
};

type Described = {
  readonly paths: Record<string, Record<string, DescribedOperation>>;
  readonly components: { readonly schemas: Record<string, unknown> };
};

const document = resolveResponses(
  buildOpenApiDocument(
    [row('POST', '/things/{thing_id}', 'jwt', change), row('GET', '/things/{thing_id}', 'public', find)],
    'https://tessera.example',
  ),
) as unknown as Described;

const postOperation = document.paths['/api/v1/things/{thing_id}']!['post']!;
const getOperation = document.paths['/api/v1/things/{thing_id}']!['get']!;

test('describes path fields as parameters, and the other fields as the body of a POST and the query of a GET', () => {
  expect(postOperation.parameters.map(({ name, in: where }) => `${where} ${name}`)).toEqual([
    'path thing_id',
    'header Idempotency-Key',
  ]);
  const { schema } = postOperation.requestBody!.content['application/json']!;
  expect(schema).toMatchObject({ required: ['note'], additionalProperties: false });
  expect(Object.keys(schema.properties)).toEqual(['note', 'limit']);
  expect(getOperation.requestBody).toBeUndefined();
  expect(getOperation.parameters.map(({ name, in: where, required }) => [where, name, required])).toEqual([
    ['path', 'thing_id', true],
    ['query', 'note', true],
    ['query', 'limit', false],
  ]);
});

test('documents every status: success, the refusals of the operation and those of the HTTP server', () => {
  expect(Object.keys(postOperation.responses)).toEqual([
    '200',
    '202',
    '204',
    '400',
    '401',
    '403',
    '404',
    '409',
    '413',
    '415',
    '422',
    '429',
    '500',
    '503',
  ]);
  expect(postOperation.responses['404']!.description).toContain(
    `job_not_found: ${refusals.job_not_found[1]}`,
  );
  expect(postOperation.responses['409']!.description).toContain('idempotency_in_progress');
  expect(getOperation.responses['413']).toBeUndefined();
});

test('documents which endpoints need a token', () => {
  expect(postOperation.security).toEqual([{ bearer: [] }]);
  expect(getOperation.security).toEqual([]);
});

test('defines a named schema once and refers to it; it is open, because a later version may add a field', () => {
  expect(document.components.schemas['Thing']).toEqual({
    type: 'object',
    properties: { id: { type: 'string' } },
    required: ['id'],
  });
  expect(postOperation.responses['202']!.content['application/json']!.schema.items).toEqual({
    $ref: '#/components/schemas/Thing',
  });
});

test('replies that refuse are open as well', () => {
  const { schemas } = document.components as unknown as { readonly schemas: Record<string, object> };
  const { responses } = document.components as unknown as { readonly responses: object };
  expect(JSON.stringify([schemas['Problem'], responses])).not.toContain('"additionalProperties":false');
  expect(schemas['Problem']).toMatchObject({ type: 'object' });
});

test('a text with several spellings is described for its readers in one, and for its writers in all', () => {
  const output = { 200: closedObject({ at: timestamp }) };
  const write = operation({
    ...definition,
    name: 'test.write',
    input: closedObject({ at: timestamp }),
    output,
    run: async (_context, { at }) => ({ at }),
  });
  const { paths } = resolveResponses(
    buildOpenApiDocument([row('POST', '/times', 'jwt', write)], 'https://tessera.example'),
  ) as unknown as Described;
  const { requestBody, responses } = paths['/api/v1/times']!['post']!;
  expect(requestBody!.content['application/json']!.schema.properties).toEqual({
    at: { type: 'string', format: 'date-time' },
  });
  expect(responses['200']!.content['application/json']!.schema).toMatchObject({
    properties: { at: { type: 'string', format: 'date-time', pattern: 'Z$' } },
  });
  expect(JSON.stringify(paths)).not.toContain('x-kind');
});

test('throws if two different schemas have the same name', () => {
  const other = Type.Object({ name: Type.String() }, { $id: 'Thing' });
  const clash = operation({
    ...definition,
    name: 'test.clash',
    output: { 200: other },
    run: async () => ({ name: '' }),
  });
  const rows = [row('POST', '/a', 'jwt', change), row('POST', '/b', 'jwt', clash)];
  expect(() => buildOpenApiDocument(rows, 'https://tessera.example')).toThrow(
    /two different schemas are called Thing/,
  );
});

test('throws if the access of a row contradicts its operation', () => {
  expect(() => row('POST', '/a', 'public', change)).toThrow(/permits member/);
});
