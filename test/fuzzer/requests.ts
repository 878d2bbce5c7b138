import fc from 'fast-check';
import type { ApiOperation, Parameter, Schema } from './document.ts';
import { hostile, hostileText, listOutsideValues, generateValid, type Dictionary } from './values.ts';

/** A request as it is sent. Names and values of path and query are percent-encoded, or deliberately invalid. */
export type FuzzedRequest = {
  readonly method: string;
  readonly url: string;
  /** The sender: a name among the callers. */
  readonly caller: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

/** A sender of requests, with this header or without one. It is known if the header identifies a user. */
export type Caller = { readonly authorization?: string; readonly known: boolean; readonly weight: number };

export type Callers = Readonly<Record<string, Caller>>;

/** The senders, and values worth sending. `cookie` in the dictionary has whole Cookie headers. */
export type FuzzContext = { readonly callers: Callers; readonly dictionary: Dictionary };

/** Generates requests of an operation: some valid, most with a fault. */
export function generateRequests(
  operation: ApiOperation,
  { callers, dictionary }: FuzzContext,
): fc.Arbitrary<FuzzedRequest> {
  const { method, path, parameters } = operation;
  return fc
    .record({
      caller: generateCaller(callers),
      path: generatePathValues(parameters, dictionary),
      query: generateQuery(parameters, dictionary),
      key: fc.option(
        fc.constantFrom('one', 'two', 'three', '', ' ', 'x'.repeat(255), 'x'.repeat(256), 'a b', 'é'),
        { freq: 3, nil: undefined },
      ),
      noise: headerNoise,
      cookie: generateCookie(dictionary),
      content: generateContent(operation, dictionary),
    })
    .map(({ caller, path: values, query, key, noise, cookie, content }) => ({
      method,
      url:
        path.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!) +
        (query.length > 0 ? `?${query.join('&')}` : ''),
      caller: caller.name,
      headers: {
        ...(cookie !== undefined && { cookie }),
        ...noise,
        ...(caller.authorization !== undefined && { authorization: caller.authorization }),
        ...(key !== undefined &&
          parameters.some((parameter) => parameter.in === 'header') && { 'idempotency-key': key }),
        ...(content?.type !== undefined && { 'content-type': content.type }),
      },
      body: content?.text,
    }));
}

/** An operation whose dictionary has cookies seldom succeeds without one. */
function generateCookie({ cookie }: Dictionary): fc.Arbitrary<string | undefined> {
  const values = (cookie ?? ['refresh_token=x']) as readonly string[];
  return fc.option(fc.constantFrom(...values), { freq: cookie === undefined ? 2 : 8, nil: undefined });
}

function generateCaller(callers: Callers) {
  const each = Object.entries(callers).map(([name, { authorization, weight }]) => ({
    arbitrary: fc.constant({ name, authorization }),
    weight,
  }));
  return fc.oneof(...each);
}

function generatePathValues(
  parameters: readonly Parameter[],
  dictionary: Dictionary,
): fc.Arbitrary<Record<string, string>> {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const generateSegment = ({ name, schema }: Parameter) =>
    fc.oneof(
      { arbitrary: generateValid(schema, dictionary, name).map(encodeValue), weight: 4 },
      { arbitrary: hostileText.map(encodeValue), weight: 1 },
      { arbitrary: fc.constantFrom(...hostileSegments), weight: 1 },
    );
  return fc.record(
    Object.fromEntries(
      inPath.map((parameter) => [parameter.name, generateSegment(parameter).filter(isPlainSegment)]),
    ),
  );
}

/** Whether a segment is part of a path as it is. An empty or dotted segment would change the path. */
function isPlainSegment(segment: string): boolean {
  return !/^\.{0,2}$/.test(segment);
}

const hostileSegments = [
  '%zz',
  '%',
  '%00',
  '%ED%A0%80',
  '%C3',
  '%F0%9F%92%A9',
  'x'.repeat(201),
  '%2F',
  'null',
  'undefined',
  '0',
  ';a=b',
  'me',
];

function generateQuery(parameters: readonly Parameter[], dictionary: Dictionary): fc.Arbitrary<string[]> {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const generatePair = ({ name, schema }: Parameter) =>
    generateValid(schema, dictionary, name).map((value) =>
      value === undefined ? undefined : `${name}=${encodeValue(value)}`,
    );
  const good = fc.tuple(
    ...inQuery.map((each) =>
      each.required ? generatePair(each) : fc.option(generatePair(each), { nil: undefined, freq: 2 }),
    ),
  );
  const names = [
    ...inQuery.map(({ name }) => name),
    'unknown',
    'constructor',
    '__proto__',
    'limit[]',
    'limit.x',
    '',
  ];
  const bad = fc.oneof(
    fc.tuple(fc.constantFrom(...names), hostileText).map(([name, value]) => `${name}=${encodeValue(value)}`),
    fc
      .tuple(
        fc.constantFrom(...names),
        fc.constantFrom('%zz', '%', '', '%00', '+5', '5+', '%205', '1e1', '0x10', '5.0', '-0', '1_0'),
      )
      .map((both) => both.join('=')),
    fc.constantFrom('&&', '=', '?', '%', 'limit', 'a'.repeat(5_000)),
  );
  return fc
    .tuple(
      good,
      fc.oneof(
        { arbitrary: fc.constant([]), weight: 3 },
        { arbitrary: fc.array(bad, { minLength: 1, maxLength: 2 }), weight: 1 },
      ),
    )
    .map(([some, more]) => [...some.filter((each) => each !== undefined), ...more]);
}

/** A value as text: a string as it is, anything else as JSON. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A value as part of a path or a query. */
export function encodeValue(value: unknown): string {
  return encodeURIComponent(toText(value).toWellFormed());
}

const headerNoise: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { withCrossShrink: true },
  { arbitrary: fc.constant({}), weight: 4 },
  {
    arbitrary: fc.constantFrom<Record<string, string>[]>(
      { accept: 'text/html' },
      { accept: 'application/xml;q=0' },
      { 'accept-encoding': '*;q=0' },
      { 'x-http-method-override': 'DELETE' },
      { 'x-forwarded-for': '127.0.0.1, ::1', 'x-forwarded-proto': 'javascript' },
      { 'x-request-id': '"><script>' },
      { 'sec-fetch-site': 'cross-site', cookie: 'refresh_token=x' },
      { cookie: 'refresh_token' },
      { cookie: `refresh_token=${'x'.repeat(4_000)}; =; ;;;` },
      { cookie: '__proto__=x; constructor=y; refresh_token="q"' },
      { 'user-agent': 'x'.repeat(5_000) },
      { 'user-agent': 'é\tü' },
      { 'if-none-match': '*', 'if-match': '"x"', range: 'bytes=0-1' },
      { origin: 'null', 'access-control-request-method': 'PUT' },
      { 'payment-signature': 'e30=', 'x-payment': '%%%' },
      { traceparent: '00-zz', 'accept-language': 'x'.repeat(999) },
    ),
    weight: 1,
  },
);

export type Content = { readonly type: string | undefined; readonly text: string } | undefined;

function generateContent({ method, body }: ApiOperation, dictionary: Dictionary): fc.Arbitrary<Content> {
  const toJsonContent = (text: string): Content => ({ type: 'application/json', text });
  if (method === 'GET') return fc.constant(undefined);
  const good = body ? generateValid(body.schema, dictionary) : fc.constant({});
  const mutated = fc
    .tuple(good, fc.array(generateMutation(body?.schema), { minLength: 1, maxLength: 2 }))
    .map(([value, all]) => all.reduce((one, apply) => apply(one), value));
  const text = good.map((value) => JSON.stringify(value));
  return fc.oneof(
    { arbitrary: text.map(toJsonContent), weight: 5 },
    { arbitrary: mutated.map((value) => toJsonContent(JSON.stringify(value) ?? 'undefined')), weight: 6 },
    {
      arbitrary: fc
        .tuple(text, fc.constantFrom(...textMutations))
        .map(([one, mutate]) => toJsonContent(mutate(one))),
      weight: 2,
    },
    {
      arbitrary: fc.tuple(text, fc.constantFrom(...mediaTypes)).map(([one, type]) => ({ type, text: one })),
      weight: 2,
    },
    { arbitrary: fc.constant(undefined), weight: body ? 1 : 8 },
  );
}

type Mutate = (value: unknown) => unknown;

/** Changes one place of a body: replaces, removes or adds something. */
function generateMutation(schema: Schema | undefined): fc.Arbitrary<Mutate> {
  const properties = Object.entries(
    (schema?.['properties'] as Readonly<Record<string, Schema>> | undefined) ?? {},
  );
  const names = properties.map(([name]) => name);
  const outside = properties.flatMap(([name, each]) =>
    listOutsideValues(each).map(
      (value): Mutate =>
        (body) =>
          isRecord(body) ? { ...body, [name]: value } : body,
    ),
  );
  const added = [
    ...names,
    'id',
    'role',
    'org_id',
    'member_id',
    'status',
    'created_at',
    'is_admin',
    'constructor',
    'prototype',
    'toString',
    '',
  ];
  return fc.oneof(
    ...(outside.length > 0 ? [fc.constantFrom(...outside)] : []),
    fc.tuple(fc.nat(50), hostile).map(
      ([spot, value]): Mutate =>
        (body) =>
          changePlace(body, spot, () => value),
    ),
    fc.tuple(fc.nat(50), fc.constantFrom<Mutate[]>(...typeMutations)).map(
      ([spot, twist]): Mutate =>
        (body) =>
          changePlace(body, spot, twist),
    ),
    fc.nat(50).map(
      (spot): Mutate =>
        (body) =>
          changePlace(body, spot, () => undefined),
    ),
    fc.tuple(fc.constantFrom(...added), hostile).map(
      ([name, value]): Mutate =>
        (body) =>
          isRecord(body) ? { ...body, [name]: value } : [body],
    ),
  );
}

/** The same value in another type or just beyond a bound: what coercion or an off-by-one error would accept. */
const typeMutations: readonly Mutate[] = [
  toText,
  (value) => [value],
  (value) => ({ value }),
  (value) => (typeof value === 'number' ? value + 1 : typeof value === 'object' ? 0 : Number(value)),
  (value) => (typeof value === 'number' ? value - 1 : value === 'true'),
  (value) => (typeof value === 'number' ? value + 0.5 : Boolean(value)),
  (value) => (typeof value === 'string' ? value.repeat(100) : value),
  (value) => (typeof value === 'string' ? `${value}\0` : value),
  (value) => (typeof value === 'string' ? ` ${value}` : value),
  (value) => (typeof value === 'string' ? value.toUpperCase() : value),
  (value) => (typeof value === 'string' ? value.slice(1) : value),
];

/** Applies `change` to the value with the number `spot`, counted through the whole tree and then from the start; spot 0 is the whole body. */
function changePlace(body: unknown, spot: number, change: Mutate): unknown {
  const places = listPlaces(body);
  return replacePlace(body, places[spot % places.length]!, change);
}

function listPlaces(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, item]) => listPlaces(item, [...at, key]))];
}

function replacePlace(value: unknown, [key, ...rest]: readonly string[], change: Mutate): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? replacePlace(item, rest, change) : item));
  const record = value as Record<string, unknown>;
  return { ...record, [key]: replacePlace(record[key], rest, change) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const nestBrackets = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

/** Faults in the text of a JSON body. */
export const textMutations: readonly ((text: string) => string)[] = [
  () => '',
  () => ' \n',
  () => 'null',
  () => '[]',
  () => '""',
  () => '0',
  (text) => text.slice(0, -1),
  (text) => `${text},`,
  (text) => `${text}${text}`,
  (text) => `\u{feff}${text}`,
  (text) => `[${text}]`,
  (text) => text.replaceAll('"', "'"),
  (text) => text.replace(/\d+/, '1e400'),
  (text) => text.replace(/\d+/, 'NaN'),
  (text) => text.replace(/\d+/, '01'),
  (text) => text.replace('{', '{"a":1,"a":2,'),
  (text) => text.replace('{', '{"__proto__":{"role":"platform_admin"},'),
  (text) => text.replace('{', '{"constructor":{"prototype":{"x":1}},'),
  (text) => text.replace(/"([^"]{2,})"/, '"\\ud800$1"'),
  (text) => text.replace(/"([^"]{2,})"/, '"$1\\u0000"'),
  (text) => text.replace(/:/, `:${nestBrackets(33)},"x":`),
  () => nestBrackets(31),
  () => nestBrackets(33),
  () => nestBrackets(20_000),
  () => `{"x":"${'x'.repeat(256 * 1024)}"}`,
  (text) => text + ' '.repeat(256 * 1024),
];

/** Content types, three of which are valid for a JSON body. */
export const mediaTypes: readonly (string | undefined)[] = [
  undefined,
  '',
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/vnd.api+json',
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'application/json;',
  'application/json\t',
  ' application/json',
  'application/jsonx',
  'application/json, text/plain',
  'garbage',
];
