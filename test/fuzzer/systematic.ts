import fc from 'fast-check';
import type { ApiOperation, Parameter, Schema } from './document.ts';
import {
  encoded,
  mediaTypes,
  textMutations,
  type Content,
  type FuzzedRequest,
  type Surroundings,
} from './requests.ts';
import { justOutside, valid } from './values.ts';

type Settings = Surroundings & { readonly seed: number };
type Body = Readonly<Record<string, unknown>>;

/**
 * One request in order, and then every way of being wrong in one place only: each field just outside its bounds, dressed as another kind of
 * value, left out; one field too many; each broken text, each content type, each caller. What chance may miss is here.
 */
export function systematicRequests(operation: ApiOperation, settings: Settings): readonly FuzzedRequest[] {
  const { callers } = settings;
  const [likeliest] = Object.keys(callers).sort(
    (one, other) => callers[other]!.weight - callers[one]!.weight,
  );
  const body = orderlyBody(operation, settings);
  const query = orderlyQuery(operation, settings);
  const request = (content: Content, more: readonly string[] = query, caller = likeliest!) =>
    requestOf(operation, settings, { content, query: more, caller });
  const inOrder = body && json(body);
  return [
    request(inOrder),
    ...contentsOf(operation, settings, body).map((content) => request(content)),
    ...queriesOf(operation, query).map((wrong) => request(inOrder, wrong)),
    ...Object.keys(callers).map((caller) => request(inOrder, query, caller)),
  ];
}

type Made = { readonly content: Content; readonly query: readonly string[]; readonly caller: string };

function requestOf(
  { method, path, parameters }: ApiOperation,
  settings: Settings,
  { content, query, caller }: Made,
): FuzzedRequest {
  const { authorization } = settings.callers[caller]!;
  const inPath = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const value = (name: string) => encoded(orderly(inPath.get(name)?.schema ?? {}, settings, name));
  return {
    method,
    url:
      path.replace(/\{(\w+)\}/g, (_, name: string) => value(name)) +
      (query.length > 0 ? `?${query.join('&')}` : ''),
    caller,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(content?.type !== undefined && { 'content-type': content.type }),
    },
    body: content?.text,
  };
}

/** A value in order: the first of the dictionary, or else one by chance. */
function orderly(schema: Schema, { dictionary, seed }: Settings, name: string): unknown {
  const known = dictionary[name];
  return known ? known[0] : fc.sample(valid(schema, dictionary, name), { seed, numRuns: 1 })[0];
}

function propertiesOf(schema: Schema): readonly (readonly [string, Schema])[] {
  return Object.entries((schema['properties'] as Readonly<Record<string, Schema>> | undefined) ?? {});
}

/** The required fields alone. */
function orderlyBody({ body }: ApiOperation, settings: Settings): Body | undefined {
  if (!body) return undefined;
  const required = new Set(body.schema['required'] as readonly string[] | undefined);
  const fields = propertiesOf(body.schema).filter(([name]) => required.has(name));
  return Object.fromEntries(fields.map(([name, schema]) => [name, orderly(schema, settings, name)]));
}

function contentsOf(
  { body: documented }: ApiOperation,
  settings: Settings,
  body: Body | undefined,
): readonly Content[] {
  if (!documented || !body) return [];
  const text = JSON.stringify(body);
  return [
    undefined,
    ...propertiesOf(documented.schema)
      .flatMap((field) => bodiesWithout(body, field, settings))
      .map(json),
    json({ ...body, unnamed: 1 }),
    ...textMutations.map((mutate): Content => ({ type: 'application/json', text: mutate(text) })),
    ...mediaTypes.map((type): Content => ({ type, text })),
  ];
}

/** Bodies that are wrong in one field. */
function bodiesWithout(
  body: Body,
  [name, schema]: readonly [string, Schema],
  settings: Settings,
): readonly Body[] {
  const value = orderly(schema, settings, name);
  const dressed = [
    String(value),
    [value],
    { value },
    null,
    Number.parseFloat(String(value)) || 0,
    value === true ? 'true' : true,
    '',
  ];
  const { [name]: _left, ...without } = body;
  return [without, ...[...dressed, ...justOutside(schema)].map((wrong) => ({ ...body, [name]: wrong }))];
}

function json(value: unknown): Content {
  return { type: 'application/json', text: JSON.stringify(value) };
}

function orderlyQuery({ parameters }: ApiOperation, settings: Settings): readonly string[] {
  const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  return needed.map(({ name, schema }) => `${name}=${encoded(orderly(schema, settings, name))}`);
}

/** Queries that are wrong in one parameter. */
function queriesOf({ parameters }: ApiOperation, query: readonly string[]): readonly (readonly string[])[] {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const wrong = ({ name, schema }: Parameter) =>
    [...justOutside(schema).map(encoded), '', 'x', '1e1', '0x10', '%201', '1.5', '%00', 'true', '[]'].map(
      (text) => `${name}=${text}`,
    );
  return [
    [...query, 'unnamed=1'],
    ...inQuery.map(({ name }) => [...query, `${name}=1`, `${name}=1`]),
    ...inQuery.flatMap((parameter) =>
      wrong(parameter).map((pair) => [
        ...query.filter((each) => !each.startsWith(`${parameter.name}=`)),
        pair,
      ]),
    ),
  ];
}
