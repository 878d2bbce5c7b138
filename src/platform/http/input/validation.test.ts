import fc from 'fast-check';
import { Type, type TObject, type TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { Refusal, type FieldError } from '#lib/refusal.ts';
import { row, type Method } from '#platform/http/row.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, nullable, patternText, text, timestamp, uuid } from '#platform/schema.ts';
import { buildInputReader, buildOutputGuard, requireValid, type RequestParts } from './validation.ts';

const input = closedObject({
  job_id: Type.String({ format: 'uuid' }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  active: Type.Optional(Type.Boolean()),
  title: Type.Optional(Type.String({ maxLength: 5 })),
  status: Type.Optional(Type.Enum(['open', 'closed'])),
  tags: Type.Optional(Type.Array(closedObject({ name: Type.String() }), { maxItems: 2 })),
});

const job_id = '00000000-0000-4000-8000-000000000000';

function createParser(method: Method, schema: TObject = input): (parts: Partial<RequestParts>) => object {
  const parsing = operation({
    name: 'test.parse',
    summary: 'Parses.',
    who: 'anyone',
    input: schema,
    output: { 204: null },
    refuses: [],
    run: async () => null,
  });
  const read = buildInputReader(row(method, '/jobs/{job_id}', 'public', parsing), schema);
  return (parts) => requireValid(read({ params: { job_id }, query: {}, body: undefined, ...parts }));
}

const post = createParser('POST');
const get = createParser('GET');

function catchErrors(parse: () => unknown): readonly FieldError[] {
  try {
    parse();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'field_invalid') return error.extras.errors ?? [];
    throw error;
  }
  throw new Error('the request was accepted');
}

/** Counts the fields that the refusal names; 0 if the request was accepted. */
function countErrors(parse: () => unknown): number {
  try {
    parse();
    return 0;
  } catch (error) {
    if (error instanceof Refusal && error.extras.errors) return error.extras.errors.length;
    throw error;
  }
}

test('combines the fields of the path, the query and the body into one input', () => {
  expect(post({ body: { title: 'x' } })).toEqual({ job_id, limit: 20, title: 'x' });
  expect(get({ query: { limit: '7', active: 'true', title: '7' } })).toEqual({
    job_id,
    limit: 7,
    active: true,
    title: '7',
  });
});

test('does not convert a string in a body to a number, a boolean or a list', () => {
  const body = { limit: '20', active: 'true', tags: 'x', title: 5 };
  expect(
    catchErrors(() => post({ body }))
      .map(({ pointer }) => pointer)
      .toSorted(),
  ).toEqual(['/active', '/limit', '/tags', '/title']);
});

test('names every invalid field by its pointer, with a reason', () => {
  const body = { title: 'too long', status: 'lost', tags: [{ name: 'x' }, { nam: 'y' }] };
  expect(catchErrors(() => post({ body }))).toEqual(
    expect.arrayContaining([
      { pointer: '/title', reason: 'must have at most 5 characters' },
      { pointer: '/status', reason: 'must be one of open, closed' },
      { pointer: '/tags/1/name', reason: 'is required' },
      { pointer: '/tags/1/nam', reason: 'is not a field of this request' },
    ]),
  );
});

test('refuses an unknown field in a body and in a query, and a known one in the wrong place', () => {
  expect(catchErrors(() => post({ body: { 'a/b~c': 1 } }))).toEqual([
    { pointer: '/a~1b~0c', reason: 'is not a field of this request' },
  ]);
  expect(catchErrors(() => get({ query: { sort: 'x' } }))[0]?.pointer).toBe('/sort');
  expect(catchErrors(() => post({ query: { title: 'x' } }))[0]?.pointer).toBe('/title');
  expect(catchErrors(() => get({ body: { title: 'x' } }))[0]?.pointer).toBe('/title');
  expect(catchErrors(() => post({ body: { job_id } }))[0]?.pointer).toBe('/job_id');
});

test('null counts as absent for an optional field, at any depth, where it means nothing else', () => {
  const place = Type.Object({ city: Type.String(), street: Type.Optional(Type.String()) });
  const schema = Type.Object({
    job_id: Type.String(),
    title: Type.String(),
    limit: Type.Integer({ default: 20 }),
    size: Type.Optional(Type.Integer()),
    status: Type.Optional(Type.Enum(['open', 'closed'])),
    kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
    note: Type.Optional(nullable(Type.String())),
    level: Type.Optional(nullable(Type.Enum(['low', 'high']))),
    data: Type.Optional(Type.Unknown()),
    place: Type.Optional(place),
    places: Type.Optional(Type.Array(place)),
  });
  const parse = createParser('PATCH', schema);
  const cleared = { note: null, level: null, data: null };
  const nested = { city: 'Perth', street: null };
  const body = {
    title: 'x',
    limit: null,
    size: null,
    status: null,
    kind: null,
    place: nested,
    places: [nested],
    ...cleared,
  };
  expect(parse({ body })).toEqual({
    job_id,
    title: 'x',
    limit: 20,
    place: { city: 'Perth' },
    places: [{ city: 'Perth' }],
    ...cleared,
  });
  expect(parse({ body: { title: 'x', place: null } })).toEqual({ job_id, title: 'x', limit: 20 });
  const faulty = { title: null, unknown: null, place: { city: null }, places: [null] };
  expect(
    catchErrors(() => parse({ body: faulty }))
      .map(({ pointer }) => pointer)
      .toSorted(),
  ).toEqual(['/place/city', '/places/0', '/title', '/unknown']);
});

test('refuses a body that is not an object, null included', () => {
  for (const body of [null, [], 'text', 5, true])
    expect(catchErrors(() => post({ body }))).toEqual([{ pointer: '', reason: 'must be an object' }]);
});

test('refuses names that every JavaScript object has like any other unknown field', () => {
  for (const name of ['constructor', 'toString', 'hasOwnProperty', '__proto__']) {
    const body = JSON.parse(`{"${name}": 1}`) as object;
    expect(catchErrors(() => post({ body }))[0]?.pointer).toBe(`/${name}`);
  }
});

test('refuses a query that contains a single-valued field twice', () => {
  expect(catchErrors(() => get({ query: { limit: ['1', '2'] } }))[0]?.pointer).toBe('/limit');
});

test('refuses an id in the path that is not a UUID', () => {
  expect(catchErrors(() => post({ params: { job_id: 'me' } }))[0]?.pointer).toBe('/job_id');
});

test('any body is parsed or refused without another error, and a refusal names at most twenty fields', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      expect(countErrors(() => post({ body }))).toBeLessThanOrEqual(20);
    }),
  );
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, index]));
  expect(catchErrors(() => post({ body: many }))).toHaveLength(20);
});

const reasons: readonly (readonly [schema: TSchema, value: unknown, reason: string])[] = [
  [Type.String(), 5, 'must be a string'],
  [Type.Integer(), 1.5, 'must be an integer'],
  [Type.Boolean(), 'yes', 'must be true or false'],
  [Type.Array(Type.String()), 'a', 'must be an array'],
  [Type.Unsafe({ type: ['string', 'null'] }), 5, 'must be a string or null'],
  [Type.String({ minLength: 1 }), '', 'must have at least 1 character'],
  [Type.String({ maxLength: 2 }), 'abc', 'must have at most 2 characters'],
  [Type.Array(Type.String(), { minItems: 1 }), [], 'must have at least 1 item'],
  [Type.Array(Type.String(), { uniqueItems: true }), ['a', 'a'], 'must not contain the same item twice'],
  [Type.Integer({ minimum: 1 }), 0, 'must be at least 1'],
  [Type.Integer({ exclusiveMaximum: 5 }), 5, 'must be below 5'],
  [Type.Integer({ multipleOf: 5 }), 4, 'must be a multiple of 5'],
  [Type.Literal(true), false, 'must be true'],
  [uuid, 'me', 'must be a UUID'],
  [timestamp, '2026-02-30T12:00:00Z', 'must be a time in UTC such as 2026-03-01T12:00:00Z'],
  [timestamp, 'Z', 'must be a time in UTC such as 2026-03-01T12:00:00Z'],
  [Type.String({ format: 'ipv4' }), 'a', 'must be in the expected format'],
  [text(9), ' ', 'must contain a visible character and no NUL'],
  [text(9), ' \u200b\u2060\u3164\u2800 ', 'must contain a visible character and no NUL'],
  [patternText('^[A-Z]$', 'must be a capital letter'), 'a', 'must be a capital letter'],
  [Type.String({ pattern: '^[A-Z]$' }), 'a', 'must have the expected form'],
  [
    Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217, such as AUD.' }),
    'a',
    'must have the expected form: ISO 4217, such as AUD',
  ],
  [Type.Object({}, { maxProperties: 1 }), { a: 1, b: 2 }, 'must have at most 1 field'],
  [Type.Union([Type.Object({}), Type.Boolean()]), 5, 'has an invalid value'],
];

test.each(reasons)('explains what %j requires of %j: %s', (schema, value, reason) => {
  const parse = createParser('POST', closedObject({ job_id: uuid, field: schema }));
  expect(catchErrors(() => parse({ body: { field: value } }))).toContainEqual({ pointer: '/field', reason });
});

test('gives one error for a time that is no time and has no time zone', () => {
  const parse = createParser('POST', closedObject({ job_id: uuid, field: timestamp }));
  expect(catchErrors(() => parse({ body: { field: 'tomorrow' } }))).toEqual([
    { pointer: '/field', reason: 'must be a time in UTC such as 2026-03-01T12:00:00Z' },
  ]);
});

test('explains what is wrong with the name of a field', () => {
  const schema = Type.Unsafe({ type: 'object', propertyNames: { maxLength: 2 } });
  const parse = createParser('POST', closedObject({ job_id: uuid, field: schema }));
  expect(catchErrors(() => parse({ body: { field: { abc: 1 } } }))).toEqual([
    { pointer: '/field', reason: 'has a field whose name must have at most 2 characters' },
    { pointer: '/field', reason: 'has a field with an invalid name' },
  ]);
});

test('a reply that matches its schema passes, and any other is a defect', () => {
  const guard = buildOutputGuard(
    'test.read',
    200,
    closedObject({ id: Type.String(), score: Type.Optional(Type.Integer()) }),
  );
  expect(guard({ id: 'a', score: undefined })).toBe('{"id":"a"}');
  expect(() => guard({ id: 'a', secret: 1 })).toThrow(
    /the reply 200 of test\.read does not match its schema/,
  );
  expect(() => guard({})).toThrow(/does not match its schema/);
  expect(() => guard({ id: new Date(0) })).toThrow(/does not match its schema/);
  expect(() => guard({ id: 'a', score: Number.NaN })).toThrow(/does not match its schema/);
});

test('two operations may return a shape of the same name', () => {
  const createShape = () => closedObject({ id: Type.String() }, { $id: 'Thing' });
  expect(buildOutputGuard('test.one', 200, createShape())({ id: 'a' })).toBe('{"id":"a"}');
  expect(buildOutputGuard('test.two', 200, Type.Array(createShape()))([{ id: 'a' }])).toBe('[{"id":"a"}]');
});
