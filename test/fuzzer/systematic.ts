import fc from 'fast-check';
import type { ApiOperation, Parameter, Schema } from './document.ts';
import {
  encodeValue,
  mediaTypes,
  textMutations,
  type Content,
  type FuzzedRequest,
  type FuzzContext,
} from './requests.ts';
import { listLongTexts, listOutsideValues, generateValid } from './values.ts';

type Settings = FuzzContext & { readonly seed: number };
type Body = Readonly<Record<string, unknown>>;

/**
 * Builds one valid request, and then requests with exactly one fault: each field just outside its bounds, with another type, or missing; an
 * additional field; each broken text, each content type, each caller. These do not depend on chance.
 */
export function buildSystematicRequests(
  operation: ApiOperation,
  settings: Settings,
): readonly FuzzedRequest[] {
  const { callers } = settings;
  const [likeliest] = Object.keys(callers).sort(
    (one, other) => callers[other]!.weight - callers[one]!.weight,
  );
  const body = buildValidBody(operation, settings);
  const query = buildValidQuery(operation, settings);
  const build = (content: Content, more: readonly string[] = query, caller = likeliest!) =>
    buildRequest(operation, settings, { content, query: more, caller });
  const valid = body && toJsonContent(body);
  return [
    build(valid),
    ...buildContents(operation, settings, body).map((content) => build(content)),
    ...buildWrongQueries(operation, query).map((wrong) => build(valid, wrong)),
    ...Object.keys(callers).map((caller) => build(valid, query, caller)),
  ];
}

type RequestParts = { readonly content: Content; readonly query: readonly string[]; readonly caller: string };

function buildRequest(
  { method, path, parameters }: ApiOperation,
  settings: Settings,
  { content, query, caller }: RequestParts,
): FuzzedRequest {
  const { authorization } = settings.callers[caller]!;
  const inPath = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const encodeParameter = (name: string) =>
    encodeValue(pickValidValue(inPath.get(name)?.schema ?? {}, settings, name));
  return {
    method,
    url:
      path.replace(/\{(\w+)\}/g, (_, name: string) => encodeParameter(name)) +
      (query.length > 0 ? `?${query.join('&')}` : ''),
    caller,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(content?.type !== undefined && { 'content-type': content.type }),
    },
    body: content?.text,
  };
}

/** A valid value: the first of the dictionary, or else a random one. */
function pickValidValue(schema: Schema, { dictionary, seed }: Settings, name: string): unknown {
  const known = dictionary[name];
  return known ? known[0] : fc.sample(generateValid(schema, dictionary, name), { seed, numRuns: 1 })[0];
}

function listProperties(schema: Schema): readonly (readonly [string, Schema])[] {
  return Object.entries((schema['properties'] as Readonly<Record<string, Schema>> | undefined) ?? {});
}

/** The required fields alone. */
function buildValidBody({ body }: ApiOperation, settings: Settings): Body | undefined {
  if (!body) return undefined;
  const required = new Set(body.schema['required'] as readonly string[] | undefined);
  const fields = listProperties(body.schema).filter(([name]) => required.has(name));
  return Object.fromEntries(fields.map(([name, schema]) => [name, pickValidValue(schema, settings, name)]));
}

function buildContents(
  { body: documented }: ApiOperation,
  settings: Settings,
  body: Body | undefined,
): readonly Content[] {
  if (!documented || !body) return [];
  const text = JSON.stringify(body);
  return [
    undefined,
    ...listProperties(documented.schema)
      .flatMap((field) => buildWrongBodies(body, field, settings))
      .map(toJsonContent),
    toJsonContent({ ...body, unnamed: 1 }),
    ...textMutations.map((mutate): Content => ({ type: 'application/json', text: mutate(text) })),
    ...mediaTypes.map((type): Content => ({ type, text })),
  ];
}

/** Bodies with a fault in one field. */
function buildWrongBodies(
  body: Body,
  [name, schema]: readonly [string, Schema],
  settings: Settings,
): readonly Body[] {
  const value = pickValidValue(schema, settings, name);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const otherTypes = [
    text,
    [value],
    { value },
    null,
    Number.parseFloat(text) || 0,
    value === true ? 'true' : true,
    '',
  ];
  const { [name]: _left, ...without } = body;
  return [
    without,
    ...[...otherTypes, ...listOutsideValues(schema), ...listLongTexts(schema)].map((wrong) => ({
      ...body,
      [name]: wrong,
    })),
  ];
}

function toJsonContent(value: unknown): Content {
  return { type: 'application/json', text: JSON.stringify(value) };
}

function buildValidQuery({ parameters }: ApiOperation, settings: Settings): readonly string[] {
  const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  return needed.map(({ name, schema }) => `${name}=${encodeValue(pickValidValue(schema, settings, name))}`);
}

/** Queries with a fault in one parameter. */
function buildWrongQueries(
  { parameters }: ApiOperation,
  query: readonly string[],
): readonly (readonly string[])[] {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const buildWrongPairs = ({ name, schema }: Parameter) =>
    [
      ...listOutsideValues(schema).map(encodeValue),
      '',
      'x',
      '1e1',
      '0x10',
      '%201',
      '1.5',
      '%00',
      'true',
      '[]',
    ].map((text) => `${name}=${text}`);
  return [
    [...query, 'unnamed=1'],
    ...inQuery.map(({ name }) => [...query, `${name}=1`, `${name}=1`]),
    ...inQuery.flatMap((parameter) =>
      buildWrongPairs(parameter).map((pair) => [
        ...query.filter((each) => !each.startsWith(`${parameter.name}=`)),
        pair,
      ]),
    ),
  ];
}
