import { describe, expect, it } from 'vitest';
import { additionalRows, specifiedRows } from '../src/tables/api.ts';
import { apiTexts } from '../src/tables/fields.ts';
import { listOperations, type ApiDocument, type ApiOperation } from './fuzzer/document.ts';
import { proves } from './requirements.ts';
import { mayBeOfType, listOutputPlaces, listPlaces, type Place, type Wire } from './wire-schemas.ts';
import { buildOpenApiDocument } from '#platform/openapi/build-document.ts';

const document = buildOpenApiDocument([...specifiedRows, ...additionalRows], 'http://localhost', {
  texts: apiTexts,
}) as ApiDocument;
const operations = listOperations(document);

type Case = readonly [name: string, places: readonly Place[]];

/** The parameters and the body of a request, as the document describes them and the server checks them. */
const inputs: readonly Case[] = operations.map((operation) => [
  formatName(operation),
  [
    ...operation.parameters.flatMap(({ name, schema }) => listPlaces(schema, name, name)),
    ...(operation.body ? listPlaces(operation.body.schema, 'body') : []),
  ],
]);

const file_type = 'application/ld+json';

/**
 * What may leave: every JSON body of every status, problems included. Files have no shape, such as one of JSON-LD, and neither have documents,
 * which are available in several media types.
 */
const outputs: readonly Case[] = operations.map((operation) => [
  formatName(operation),
  Object.entries(operation.responses).flatMap(([status, { content }]) =>
    Object.entries(content)
      .filter(([type], _, types) => type.endsWith('json') && type !== file_type && types.length === 1)
      .flatMap(([, schema]) => listPlaces(schema, status)),
  ),
]);

/** The schemas with which replies are written. */
const sent: readonly Case[] = [...specifiedRows, ...additionalRows].map((row) => [
  row.operation.name,
  listOutputPlaces(row),
]);

/** Objects that are maps: any key, each value bounded. */
const maps: readonly RegExp[] = [
  /^body\.trait_priorities$/,
  /\.metadata$/,
  /^200\.answers\.(braving|cvf)$/,
  /^200\.deliveries\[\]\.headers$/,
];

/** What a browser writes, and later browsers may add to (WebAuthn). Only the named fields are read. */
const ofBrowsers: readonly RegExp[] = [/^body\.passkey(\.response)?$/];

/** Ids that WebAuthn names and authenticators choose. */
const ofAuthenticators = /^(body\.passkey|200\.public_key)\./;

/** The id of an OAuth client: a UUID that it was given, or the URL of its metadata; and that of the issuer of any credential. */
const ofClients = /^200\.(client|issuer)\.id$/;

/** Identifiers of our own, of the item bank, of SAML and of OpenID4VCI that do not name a record. */
const notIds: ReadonlySet<string> = new Set([
  'client_id',
  'external_id',
  'item_id',
  'request_id',
  'block_id',
  'statement_id',
  'sp_entity_id',
  'idp_entity_id',
  'credential_configuration_ids',
]);

function formatName({ method, path }: ApiOperation): string {
  return `${method} ${path}`;
}

function findWrong(places: readonly Place[], isWrong: (place: Place) => boolean): readonly string[] {
  return places.filter(isWrong).map((place) => place.at);
}

describe('a request has no unnamed field, has a limit for every text, list, map and number, and has UUIDs as ids:', () => {
  it.each(inputs)('%s', (_, places) => {
    expect(findWrong(places, isOpenObject)).toEqual([]);
    expect(
      findWrong(places, ({ schema }) => mayBeOfType(schema, 'string') && !isBoundedText(schema)),
    ).toEqual([]);
    expect(
      findWrong(places, ({ schema }) => mayBeOfType(schema, 'array') && schema['maxItems'] === undefined),
    ).toEqual([]);
    expect(findWrong(places, ({ schema }) => isMap(schema) && schema['maxProperties'] === undefined)).toEqual(
      [],
    );
    expect(
      findWrong(places, ({ schema }) => mayBeOfType(schema, 'number', 'integer') && !isBoundedNumber(schema)),
    ).toEqual([]);
    expect(findWrong(places, isLooseId)).toEqual([]);
  });
});

describe('the service sends no unnamed field, although the document lets a later version add one:', () => {
  it.each(sent)('%s', (_, places) => expect(findWrong(places, isOpenObject)).toEqual([]));
});

describe('a reply has no unnamed value, has UUIDs as ids, and has times in ISO 8601 and UTC:', () => {
  it.each(outputs)('%s', (_, places) => {
    proves('surface-ids-are-uuid', 'surface-timestamps-iso8601-utc');
    expect(
      findWrong(
        places,
        ({ schema }) => !['type', 'enum', 'const', 'anyOf', 'oneOf'].some((key) => key in schema),
      ),
    ).toEqual([]);
    expect(findWrong(places, isLooseId)).toEqual([]);
    expect(findWrong(places, isLooseTime)).toEqual([]);
  });
});

it('finds each kind of schema that is not strict', () => {
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
  expect(findWrong(places, isOpenObject)).toEqual(['']);
  expect(findWrong(places, isLooseId)).toEqual(['.id', '.job_id']);
  expect(findWrong(places, isLooseTime)).toEqual(['.created_at', '.last_login']);
  expect(
    findWrong(places, ({ name, schema }) => /pattern|open/.test(name) && !isBoundedText(schema)),
  ).toEqual(['.pattern', '.open_ended']);
  expect(findWrong(places, ({ name, schema }) => name === 'count' && !isBoundedNumber(schema))).toEqual([
    '.count',
  ]);
  expect(isBoundedText({ type: 'string', pattern: '^[A-Z0-9]{1,3}$' })).toBe(true);
});

function isOpenObject({ at: where, schema }: Place): boolean {
  const isObject = [schema['type']].flat().includes('object') || 'properties' in schema;
  const isNamed = [...maps, ...ofBrowsers].some((place) => place.test(where));
  return isObject && schema['additionalProperties'] !== false && !isNamed;
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

function isLooseId({ at: where, name, schema }: Place): boolean {
  return (
    !ofAuthenticators.test(where) &&
    !ofClients.test(where) &&
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
