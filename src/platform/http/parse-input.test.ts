import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { anonymousCaller } from '#lib/caller.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { buildInputParser } from './parse-input.ts';
import { row } from './row.ts';

const seen: string[] = [];

const rent = operation({
  name: 'test.rent',
  summary: 'Rents something.',
  who: 'anyone',
  input: closedObject({
    from: Type.Integer({ minimum: 0 }),
    to: Type.Integer({ minimum: 0 }),
    colour: Type.Optional(Type.String({ maxLength: 5 })),
  }),
  output: { 204: null },
  refuses: [],
  checks: [
    ({ from, to }) => {
      seen.push('range');
      if (to < from) throw createFieldRefusal('field_invalid', '/to', 'must not be below from');
    },
    async ({ colour }) => {
      seen.push('colour');
      if (colour === 'grey') throw createFieldRefusal('claim_not_verified', '/colour', 'must not be grey');
    },
  ],
  run: async () => null,
});

const parse = buildInputParser(undefined as never, row('POST', '/rents', 'public', rent), {
  schema: rent.input,
  checks: rent.checks,
});

async function describe(body: unknown) {
  try {
    return await parse({ params: {}, query: {}, body }, anonymousCaller);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.code, ...(error.extras.errors ?? []).map(({ pointer, reason }) => `${pointer} ${reason}`)];
  }
}

test('an input without faults passes its checks', async () => {
  expect(await describe({ from: 1, to: 2, colour: 'red' })).toEqual({ from: 1, to: 2, colour: 'red' });
});

test.each<[string, unknown, readonly string[]]>([
  [
    'of two checks',
    { from: 2, to: 1, colour: 'grey' },
    ['field_invalid', '/to must not be below from', '/colour must not be grey'],
  ],
  ['of one check', { from: 1, to: 1, colour: 'grey' }, ['claim_not_verified', '/colour must not be grey']],
  [
    'of the schema and of a check',
    { from: 2, to: 1, colour: 'purple' },
    ['field_invalid', '/colour must have at most 5 characters', '/to must not be below from'],
  ],
  [
    'of a field that is missing',
    { from: 2, colour: 'grey' },
    ['field_invalid', '/to is required', '/colour must not be grey'],
  ],
  [
    'of a field that does not exist',
    { from: 2, to: 1, size: 1 },
    ['field_invalid', '/size is not a field of this request', '/to must not be below from'],
  ],
  ['of a body that is no object', [], ['field_invalid', ' must be an object']],
])('one refusal has the faults %s', async (_, body, expected) => {
  expect(await describe(body)).toEqual(expected);
});

test('a check does not read what the schema refuses', async () => {
  seen.length = 0;
  expect(await describe({ from: 'x', to: 1, colour: 'grey' })).toEqual([
    'field_invalid',
    '/from must be an integer',
    '/colour must not be grey',
  ]);
  expect(seen).toEqual(['colour']);
});
