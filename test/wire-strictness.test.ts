import { describe, expect, it } from 'vitest';
import { additionalRows, specifiedRows } from '../src/api.ts';
import { listOperations, type ApiDocument, type ApiOperation } from './fuzzer/document.ts';
import { proves } from './requirements.ts';
import { mayBeOfType, listPlaces, type Place, type Wire } from './wire-schemas.ts';
import { buildOpenApiDocument } from '#platform/http/openapi.ts';

const document = buildOpenApiDocument(
  [...specifiedRows, ...additionalRows],
  'http://localhost',
) as ApiDocument;
const operations = listOperations(document).filter(({ pending }) => !pending);

type Case = readonly [name: string, places: readonly Place[]];

/** What may come: the parameters and the body, as the document gives them out and the door checks them. */
const inputs: readonly Case[] = operations.map((operation) => [
  nameOf(operation),
  [
    ...operation.parameters.flatMap(({ name, schema }) => listPlaces(schema, name, name)),
    ...(operation.body ? listPlaces(operation.body.schema, 'body') : []),
  ],
]);

/**
 * What may leave: every JSON body of every status, problems included. Files have no shape, and neither have documents, which are available in
 * several media types.
 */
const outputs: readonly Case[] = operations.map((operation) => [
  nameOf(operation),
  Object.entries(operation.responses).flatMap(([status, { content }]) =>
    Object.entries(content)
      .filter(([type], _, types) => type.endsWith('json') && types.length === 1)
      .flatMap(([, schema]) => listPlaces(schema, status)),
  ),
]);

/** Where objects are maps: any key, each value bounded. */
const maps: readonly RegExp[] = [/^body\.trait_priorities$/];

/** Text of ours, of an item bank, or of SAML, that is no identifier of a record. */
const notIds: ReadonlySet<string> = new Set([
  'external_id',
  'item_id',
  'request_id',
  'block_id',
  'statement_id',
  'sp_entity_id',
  'idp_entity_id',
  'credential_configuration_ids',
]);

function nameOf({ method, path }: ApiOperation): string {
  return `${method} ${path}`;
}

function at(places: readonly Place[], wrong: (place: Place) => boolean): readonly string[] {
  return places.filter(wrong).map((place) => place.at);
}

describe('what comes in takes no unnamed field, bounds every text, list, map and number, and asks for UUIDs as ids:', () => {
  it.each(inputs)('%s', (_, places) => {
    expect(at(places, isOpenObject)).toEqual([]);
    expect(at(places, ({ schema }) => mayBeOfType(schema, 'string') && !isBoundedText(schema))).toEqual([]);
    expect(
      at(places, ({ schema }) => mayBeOfType(schema, 'array') && schema['maxItems'] === undefined),
    ).toEqual([]);
    expect(at(places, ({ schema }) => isMap(schema) && schema['maxProperties'] === undefined)).toEqual([]);
    expect(
      at(places, ({ schema }) => mayBeOfType(schema, 'number', 'integer') && !isBoundedNumber(schema)),
    ).toEqual([]);
    expect(at(places, isLooseId)).toEqual([]);
  });
});

describe('what goes out has no unnamed field or value, UUIDs as ids, and times in ISO 8601 and UTC:', () => {
  it.each(outputs)('%s', (_, places) => {
    proves('surface-ids-are-uuid', 'surface-timestamps-iso8601-utc');
    expect(at(places, isOpenObject)).toEqual([]);
    expect(
      at(places, ({ schema }) => !['type', 'enum', 'const', 'anyOf', 'oneOf'].some((key) => key in schema)),
    ).toEqual([]);
    expect(at(places, isLooseId)).toEqual([]);
    expect(at(places, isLooseTime)).toEqual([]);
  });
});

it('finds what is loose', () => {
  const loose = {
    type: 'object',
    properties: {
      id: { type: 'string' },
      job_id: { type: ['string', 'null'] },
      created_at: { type: 'string', format: 'date-time' },
      last_login: { type: 'integer' },
      pattern: { type: 'string', pattern: '^a+$' },
      open_ended: { type: 'string', pattern: '[A-Z]{3}' },
      count: { type: 'integer', minimum: 0 },
    },
  };
  const places = listPlaces(loose);
  expect(at(places, isOpenObject)).toEqual(['']);
  expect(at(places, isLooseId)).toEqual(['.id', '.job_id']);
  expect(at(places, isLooseTime)).toEqual(['.created_at', '.last_login']);
  expect(at(places, ({ name, schema }) => /pattern|open/.test(name) && !isBoundedText(schema))).toEqual([
    '.pattern',
    '.open_ended',
  ]);
  expect(at(places, ({ name, schema }) => name === 'count' && !isBoundedNumber(schema))).toEqual(['.count']);
  expect(isBoundedText({ type: 'string', pattern: '^[A-Z0-9]{1,3}$' })).toBe(true);
});

function isOpenObject({ at: where, schema }: Place): boolean {
  const isObject = [schema['type']].flat().includes('object') || 'properties' in schema;
  return isObject && schema['additionalProperties'] !== false && !maps.some((map) => map.test(where));
}

function isMap({ additionalProperties }: Wire): boolean {
  return typeof additionalProperties === 'object';
}

function isBoundedText({ enum: values, const: constant, maxLength, format, pattern }: Wire): boolean {
  if (values ?? constant ?? maxLength) return true;
  if (['uuid', 'date', 'date-time'].includes(String(format))) return true;
  return /^\^[^*+]*\$$/.test(String(pattern)) && !/\{\d+,\}/.test(String(pattern));
}

function isBoundedNumber({ enum: values, const: constant, minimum, maximum }: Wire): boolean {
  return (values ?? constant) !== undefined || (minimum !== undefined && maximum !== undefined);
}

function isLooseId({ name, schema }: Place): boolean {
  return (
    /(^|_)ids?$/.test(name) &&
    !notIds.has(name) &&
    mayBeOfType(schema, 'string', 'integer', 'number') &&
    schema['format'] !== 'uuid'
  );
}

function isLooseTime({ name, schema }: Place): boolean {
  const isTime =
    /_at$|^last_(login|updated)$/.test(name) && mayBeOfType(schema, 'string', 'integer', 'number');
  return isTime && !(schema['format'] === 'date-time' && schema['pattern'] === 'Z$');
}
