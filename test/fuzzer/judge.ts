import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { closeSchema, type ApiOperation, type Schema } from './document.ts';
import { toText, type Callers, type FuzzedRequest } from './requests.ts';
import { cacheByObject, cacheResults } from '#lib/cache-results.ts';
import { refusals } from '#lib/refusals.ts';

/** A reply before it is parsed. */
export type RawReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** Processor time that the request took on the thread of the server. */
  readonly processor_ms?: number;
};

export type Judge = (request: FuzzedRequest, reply: RawReply) => readonly string[];

// Each check runs a few times, so its code is not worth optimising.
const ajv = new Ajv2020({ strict: false, allErrors: false, code: { optimize: false } });
formats.default(ajv);

/** Creates the judge of an operation's replies: it returns a sentence for each difference from the document. */
export function createJudge(operation: ApiOperation, callers: Callers): Judge {
  const listReasons = createRequestCheck(operation, callers);
  return (request, reply) => [
    ...findStatusFaults(operation, reply),
    ...findTimeFaults(reply),
    ...(isRefusedVisit(operation, request, reply)
      ? findPageFaults(reply)
      : [
          ...findShapeFaults(operation, reply),
          ...(reply.status >= 400 ? findProblemFaults(operation, request, reply) : []),
        ]),
    ...(reply.status < 400
      ? listReasons(request).map((reason) => `replied with ${reply.status} although ${reason}`)
      : []),
  ];
}

/** Whether a person reads a refusal in a browser, which asked for a page. */
function isRefusedVisit(
  { ignoresUnknown }: ApiOperation,
  { headers: { accept } }: FuzzedRequest,
  { status, headers }: RawReply,
): boolean {
  const isPage = toText(headers['content-type'] ?? '').startsWith('text/html');
  return ignoresUnknown === true && status >= 400 && accept === 'text/html' && isPage;
}

function findPageFaults({ text }: RawReply): string[] {
  return /<h1>[^<]/.test(text) ? [] : ['is a page without a heading'];
}

/** The most processor time of a request. The first request of an operation also compiles its schemas. */
export const processor_ms_max = 1_000;

function findTimeFaults({ processor_ms = 0 }: RawReply): string[] {
  return processor_ms > processor_ms_max ? [`took ${processor_ms} ms of processor time`] : [];
}

function findStatusFaults({ responses }: ApiOperation, { status }: RawReply): string[] {
  if (status >= 500) return [`replied with ${status}`];
  return String(status) in responses ? [] : [`replied with ${status}, which is not documented`];
}

/** By the text of a schema: most operations have the same refusals. */
const compileText = cacheResults(10_000, (text) => ajv.compile(JSON.parse(text) as Schema));
const compileSchema = cacheByObject((schema: Schema) => compileText(JSON.stringify(closeSchema(schema))));

function findShapeFaults({ responses }: ApiOperation, { status, headers, text }: RawReply): string[] {
  const documented = responses[String(status)];
  if (!documented) return [];
  const expected = new Map(Object.entries(documented.content));
  if (expected.size === 0) return text === '' ? [] : [`has a body at ${status}, but none is documented`];
  const type = toText(headers['content-type'] ?? 'none');
  const schema = expected.get(type.split(';', 1)[0]!);
  if (!schema) return [`has content type ${type} instead of ${[...expected.keys()].join(' or ')}`];
  const check = compileSchema(schema);
  if (check(parseJson(text))) return [];
  const [error] = check.errors ?? [];
  const named = JSON.stringify(error?.params ?? {});
  return [
    `the body of ${status} is outside its schema: ${error?.instancePath || '/'} ${error?.message} ${named}`,
  ];
}

type Problem = {
  readonly code?: string;
  readonly status?: number;
  readonly instance?: string;
  readonly request_id?: string;
};

function findProblemFaults(
  { responses }: ApiOperation,
  { url }: FuzzedRequest,
  { status, headers, text }: RawReply,
): string[] {
  const problem = (parseJson(text) ?? {}) as Problem;
  const { code = '' } = problem;
  const ofTable = (refusals as Readonly<Record<string, readonly [number, string]>>)[code];
  const described = responses[String(status)]?.description ?? `${code}:`;
  return [
    ...(ofTable?.[0] === status && problem.status === status
      ? []
      : [`has code ${code || 'none'} at ${status}, unlike the table`]),
    ...(described.includes(`${code}:`) ? [] : [`has code ${code}, which ${status} does not document here`]),
    ...(problem.instance === url.split('?', 1)[0]
      ? []
      : [`has instance ${problem.instance}, which is not the path of the request`]),
    ...(problem.request_id && headers['x-request-id'] === problem.request_id
      ? []
      : ['has no request_id, or another than its header']),
    ...(status === 401 && !headers['www-authenticate'] ? ['has no WWW-Authenticate'] : []),
    ...((status === 429 || status === 503) && !headers['retry-after'] ? ['has no Retry-After'] : []),
  ];
}

/** Creates a check that says why a request must not succeed, in one sentence for each reason. */
function createRequestCheck(
  operation: ApiOperation,
  callers: Callers,
): (request: FuzzedRequest) => readonly string[] {
  const { loggedIn, method } = operation;
  const body = createBodyCheck(operation);
  const query = createQueryCheck(operation);
  const inPath = createPathCheck(operation);
  return (request) => {
    return [
      ...(loggedIn && !callers[request.caller]?.known ? [`${request.caller} is not logged in`] : []),
      ...(method === 'GET' ? [] : body(request)),
      ...query(request),
      ...inPath(request),
    ];
  };
}

function createBodyCheck({ body }: ApiOperation): (request: FuzzedRequest) => readonly string[] {
  if (!body) return () => [];
  const check = ajv.compile(body.schema);
  return ({ headers, body: text = '' }) => {
    if (text === '') return body.required ? ['the body is required'] : [];
    const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
    if (type !== 'application/json') return [`the content type is ${type}`];
    const value = parseJson(text.replace(/^\u{feff}/u, ''));
    if (value === undefined) return ['the body is not JSON'];
    const error = findBodyError(check, value);
    return error ? [`the body is outside its schema: ${error.instancePath} ${error.message}`] : [];
  };
}

/** The first error that is not about null for an optional field, which counts as absent. Takes such fields out of the value. */
function findBodyError(check: ValidateFunction, value: unknown): ErrorObject | undefined {
  while (!check(value)) {
    const [error] = check.errors ?? [];
    if (!error || !removeNull(value, error.instancePath)) return error;
  }
  return undefined;
}

/** Removes the member of an object to which a JSON pointer leads, if it is null. @returns whether it was. */
function removeNull(value: unknown, pointer: string): boolean {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = names.pop();
  if (last === undefined) return false;
  const parent = names.reduce((each, name) => (each as Record<string, unknown>)[name], value);
  if (Array.isArray(parent)) return false;
  const members = parent as Record<string, unknown>;
  return members[last] === null && Reflect.deleteProperty(members, last);
}

function createQueryCheck({
  parameters,
  ignoresUnknown = false,
}: ApiOperation): (request: FuzzedRequest) => readonly string[] {
  const known = new Map(
    parameters.filter((each) => each.in === 'query').map((each) => [each.name, ajv.compile(each.schema)]),
  );
  return ({ url }) => {
    const sent = [...new URLSearchParams(url.split('?')[1] ?? '')];
    return sent.flatMap(([name, text], index) => {
      const check = known.get(name);
      // An undocumented name is refused, and so is a name that is sent twice.
      if (!check) return ignoresUnknown ? [] : [`${JSON.stringify(name)} is not a parameter`];
      if (sent.findIndex(([other]) => other === name) < index) return [`${name} is sent twice`];
      return check(parseText(check, text)) ? [] : [`the query has ${name}=${text}`];
    });
  };
}

function createPathCheck({ path, parameters }: ApiOperation): (request: FuzzedRequest) => readonly string[] {
  const inPath = new Map(
    parameters.filter((each) => each.in === 'path').map((each) => [each.name, ajv.compile(each.schema)]),
  );
  const names = path.split('/').map((segment) => /^\{(\w+)\}$/.exec(segment)?.[1]);
  return ({ url }) => {
    const segments = url.split('?', 1)[0]!.split('/');
    return names.flatMap((name, index) => {
      if (name === undefined) return [];
      const value = decodeSegment(segments[index]!);
      const check = inPath.get(name);
      return value !== undefined && check?.(value) ? [] : [`the path has ${name}=${segments[index]}`];
    });
  };
}

/** The value of a text under a schema: numbers as JSON writes them (RFC 8259 section 6). */
function parseText({ schema }: ValidateFunction, text: string): unknown {
  const { type } = schema as { type?: unknown };
  const numeric = type === 'integer' || type === 'number';
  if (numeric && /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
