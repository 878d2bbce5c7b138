import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { refusals } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { buildOpenApiDocument } from './openapi.ts';
import { pending, row } from './row.ts';

const thing = Type.Object({ id: Type.String() }, { $id: 'Thing', additionalProperties: false });

const input = Type.Object(
  { thing_id: Type.String(), note: Type.String(), limit: Type.Optional(Type.Integer({ maximum: 100 })) },
  { additionalProperties: false },
);

const change = operation({
  name: 'test.change',
  summary: 'Changes a thing.',
  who: ['member'],
  input,
  output: { 200: thing, 202: Type.Array(thing), 204: null },
  refuses: ['job_not_found', 'job_closed'],
  idempotent: true,
  run: async () => null,
});

const find = operation({
  ...(change as object),
  name: 'test.find',
  who: 'anyone',
  idempotent: undefined,
} as never);

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

const document = buildOpenApiDocument(
  [
    row('POST', '/things/{thing_id}', 'jwt', change),
    row('GET', '/things/{thing_id}', 'public', find),
    pending('PUT', '/things/{thing_id}/plan', 'jwt'),
  ],
  'https://tessera.example',
) as unknown as Described;

const posted = document.paths['/api/v1/things/{thing_id}']!['post']!;
const got = document.paths['/api/v1/things/{thing_id}']!['get']!;

test('a field of the path is a parameter, the rest is the body of a POST and the query of a GET', () => {
  expect(posted.parameters.map(({ name, in: where }) => `${where} ${name}`)).toEqual([
    'path thing_id',
    'header Idempotency-Key',
  ]);
  const { schema } = posted.requestBody!.content['application/json']!;
  expect(schema).toMatchObject({ required: ['note'], additionalProperties: false });
  expect(Object.keys(schema.properties)).toEqual(['note', 'limit']);
  expect(got.requestBody).toBeUndefined();
  expect(got.parameters.map(({ name, in: where, required }) => [where, name, required])).toEqual([
    ['path', 'thing_id', true],
    ['query', 'note', true],
    ['query', 'limit', false],
  ]);
});

test('every status is documented: what succeeds, what the operation refuses, and what the door does', () => {
  expect(Object.keys(posted.responses)).toEqual([
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
  expect(posted.responses['404']!.description).toContain(`job_not_found: ${refusals.job_not_found[1]}`);
  expect(posted.responses['409']!.description).toContain('idempotency_in_progress');
  expect(got.responses['413']).toBeUndefined();
});

test('who needs a token, and what is not built, is said', () => {
  expect(posted.security).toEqual([{ bearer: [] }]);
  expect(got.security).toEqual([]);
  const planned = document.paths['/api/v1/things/{thing_id}/plan']!['put']!;
  expect(Object.keys(planned.responses)).toContain('501');
});

test('a named shape stands once, and is referred to', () => {
  expect(document.components.schemas['Thing']).toEqual({
    type: 'object',
    properties: { id: { type: 'string' } },
    required: ['id'],
    additionalProperties: false,
  });
  expect(posted.responses['202']!.content['application/json']!.schema.items).toEqual({
    $ref: '#/components/schemas/Thing',
  });
});

test('two different shapes of one name are a defect at the start', () => {
  const other = Type.Object({ name: Type.String() }, { $id: 'Thing' });
  const clash = operation({ ...(change as object), name: 'test.clash', output: { 200: other } } as never);
  const rows = [row('POST', '/a', 'jwt', change), row('POST', '/b', 'jwt', clash)];
  expect(() => buildOpenApiDocument(rows, 'https://tessera.example')).toThrow(
    /two different shapes are called Thing/,
  );
});

test('a row that says another access than its operation is a defect at the start', () => {
  expect(() => row('POST', '/a', 'public', change)).toThrow(/lets in member/);
});
