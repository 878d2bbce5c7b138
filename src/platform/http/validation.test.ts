import fc from 'fast-check';
import { Type, type TObject } from 'typebox';
import { expect, test } from 'vitest';
import { Refusal, type FieldError } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { row, type Method } from '#platform/http/row.ts';
import { buildInputParser, buildOutputGuard, type RequestParts } from './validation.ts';

const input = Type.Object(
  {
    job_id: Type.String({ format: 'uuid' }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    active: Type.Optional(Type.Boolean()),
    title: Type.Optional(Type.String({ maxLength: 5 })),
    status: Type.Optional(Type.Enum(['open', 'closed'])),
    tags: Type.Optional(
      Type.Array(Type.Object({ name: Type.String() }, { additionalProperties: false }), { maxItems: 2 }),
    ),
  },
  { additionalProperties: false },
);

const job_id = '00000000-0000-4000-8000-000000000000';

function parser(
  method: Method,
  schema: TObject = input,
): (parts: Partial<RequestParts>) => Record<string, unknown> {
  const made = operation({
    name: 'test.parse',
    summary: 'Parses.',
    who: 'anyone',
    input: schema,
    output: { 204: null },
    refuses: [],
    run: async () => null,
  });
  const parse = buildInputParser(row(method, '/jobs/{job_id}', 'public', made), schema);
  return (parts) => parse({ params: { job_id }, query: {}, body: undefined, ...parts });
}

const post = parser('POST');
const get = parser('GET');

function errorsOf(parse: () => unknown): readonly FieldError[] {
  try {
    parse();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'field_invalid') return error.extras.errors ?? [];
    throw error;
  }
  throw new Error('it was accepted');
}

/** How many fields were named; none if it was accepted. */
function refusedFields(parse: () => unknown): number {
  try {
    parse();
    return 0;
  } catch (error) {
    if (error instanceof Refusal) return error.extras.errors!.length;
    throw error;
  }
}

test('the fields of the path, the query and the body come together in one input', () => {
  expect(post({ body: { title: 'x' } })).toEqual({ job_id, limit: 20, title: 'x' });
  expect(get({ query: { limit: '7', active: 'true', title: '7' } })).toEqual({
    job_id,
    limit: 7,
    active: true,
    title: '7',
  });
});

test('in a body a text is no number, no boolean, and no list', () => {
  const body = { limit: '20', active: 'true', tags: 'x', title: 5 };
  expect(
    errorsOf(() => post({ body }))
      .map(({ pointer }) => pointer)
      .toSorted(),
  ).toEqual(['/active', '/limit', '/tags', '/title']);
});

test('every wrong field is named by its pointer, with a reason', () => {
  const body = { title: 'too long', status: 'lost', tags: [{ name: 'x' }, { nam: 'y' }] };
  expect(errorsOf(() => post({ body }))).toEqual(
    expect.arrayContaining([
      { pointer: '/title', reason: 'must NOT have more than 5 characters' },
      { pointer: '/status', reason: 'must be one of open, closed' },
      { pointer: '/tags/1/name', reason: 'is required' },
      { pointer: '/tags/1/nam', reason: 'is not a field of this request' },
    ]),
  );
});

test('a field that nobody named is refused, in a body and in a query, wherever it was meant to go', () => {
  expect(errorsOf(() => post({ body: { 'a/b~c': 1 } }))).toEqual([
    { pointer: '/a~1b~0c', reason: 'is not a field of this request' },
  ]);
  expect(errorsOf(() => get({ query: { sort: 'x' } }))[0]?.pointer).toBe('/sort');
  expect(errorsOf(() => post({ query: { title: 'x' } }))[0]?.pointer).toBe('/title');
  expect(errorsOf(() => get({ body: { title: 'x' } }))[0]?.pointer).toBe('/title');
  expect(errorsOf(() => post({ body: { job_id } }))[0]?.pointer).toBe('/job_id');
});

test('a body that is no object is refused, null too', () => {
  for (const body of [null, [], 'text', 5, true])
    expect(errorsOf(() => post({ body }))).toEqual([{ pointer: '', reason: 'must be object' }]);
});

test('a name that every object has is a field like another', () => {
  for (const name of ['constructor', 'toString', 'hasOwnProperty', '__proto__']) {
    const body = JSON.parse(`{"${name}": 1}`) as object;
    expect(errorsOf(() => post({ body }))[0]?.pointer).toBe(`/${name}`);
  }
});

test('a query that names one field twice is refused where one is wanted', () => {
  expect(errorsOf(() => get({ query: { limit: ['1', '2'] } }))[0]?.pointer).toBe('/limit');
});

test('an id that is none is refused before anything runs', () => {
  expect(errorsOf(() => post({ params: { job_id: 'me' } }))[0]?.pointer).toBe('/job_id');
});

test('whatever a body holds, it is parsed or refused by its fields, never a crash, and at most twenty are named', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      const named = refusedFields(() => post({ body }));
      expect(named).toBeLessThanOrEqual(20);
    }),
  );
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, index]));
  expect(errorsOf(() => post({ body: many }))).toHaveLength(20);
});

test('a reply inside its schema passes, and one outside it is a defect', () => {
  const guard = buildOutputGuard(
    'test.read',
    200,
    Type.Object({ id: Type.String(), score: Type.Optional(Type.Integer()) }, { additionalProperties: false }),
  );
  expect(guard({ id: 'a', score: undefined })).toBe('{"id":"a"}');
  expect(() => guard({ id: 'a', secret: 1 })).toThrow(/test\.read answered 200 outside its schema/);
  expect(() => guard({})).toThrow(/outside its schema/);
  expect(() => guard({ id: new Date(0) })).toThrow(/outside its schema/);
  expect(() => guard({ id: 'a', score: Number.NaN })).toThrow(/outside its schema/);
});

test('two operations may answer a shape of the same name', () => {
  const shape = () => Type.Object({ id: Type.String() }, { $id: 'Thing', additionalProperties: false });
  expect(buildOutputGuard('test.one', 200, shape())({ id: 'a' })).toBe('{"id":"a"}');
  expect(buildOutputGuard('test.two', 200, Type.Array(shape()))([{ id: 'a' }])).toBe('[{"id":"a"}]');
});
