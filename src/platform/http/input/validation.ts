import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { TObject, TSchema } from 'typebox';
import { cacheByObject, computeOnce } from '#lib/cache-results.ts';
import { readOutsideValue, type OutsideKind } from '#lib/outside-values.ts';
import { Refusal, type FieldError } from '#lib/refusal.ts';
import { findFieldLocation, listPathFields, type Row } from '#platform/http/row.ts';
import { skipLongPatterns } from '#platform/http/skip-long-patterns.ts';
import { describeFault } from '#platform/http/input/fault-reasons.ts';
import { closedObject, kind_keyword } from '#platform/schema.ts';

/** The three parts of a request that contain the input of an operation. */
export type RequestParts = { readonly params: unknown; readonly query: unknown; readonly body: unknown };

const errors_max = 20;

/**
 * Input is not converted: a string is not accepted as a number, and an unknown field is refused. `verbose` gives the schema of each fault.
 */
const inputAjv = createAjv({ allErrors: true, verbose: true }, 'full');
/** A reply comes from the service's own code, so the first fault is enough and formats need no thorough check. */
const outputAjv = createAjv({}, 'fast');

function createAjv(options: { allErrors?: true; verbose?: true }, mode: 'full' | 'fast'): Ajv2020 {
  const fixed = { coerceTypes: false, useDefaults: true, removeAdditional: false, strict: false } as const;
  // A first request waits for its schemas. They are our own, and a test checks them against the schema of schemas. Checks that Ajv optimises take twice as long to compile and no less to run.
  const ajv = new Ajv2020({ ...options, ...fixed, validateSchema: false, code: { optimize: false } });
  formats.default(ajv, { mode });
  skipLongPatterns(ajv);
  return ajv;
}

/** The input of an operation, and every fault that its schema finds in it, by JSON pointer. */
export type ReadInput = { readonly input: object; readonly errors: readonly FieldError[] };

/** Compiles the schemas of a function that its first call would otherwise compile. */
export type Compilable = { readonly compile: () => void };

/** Reads the input of an operation from a request. */
export type InputReader = ((parts: RequestParts) => ReadInput) & Compilable;

/**
 * Builds the function that reads the input of an operation from a request.
 *
 * The function throws Refusal `body_missing` (400) for a PUT without a body.
 */
export function buildInputReader(row: Row, input: TObject): InputReader {
  return readersOfRow(row)(input);
}

/** Pages and tools read the same inputs as the API, and so do the servers of all tests in one process. */
const readersOfRow = cacheByObject((row: Row) => cacheByObject((input: TObject) => createReader(row, input)));

function createReader(row: Row, input: TObject): InputReader {
  const inPath = listPathFields(row.path);
  const pathFields = pickProperties(input, (name) => inPath.includes(name));
  const otherFields = pickProperties(input, (name) => !inPath.includes(name));
  const inQuery = findFieldLocation(row) === 'query';
  const parseParams = buildTextsParser(pathFields);
  const parseQuery = buildTextsParser(inQuery ? otherFields : noFields);
  const parseBody = buildBodyParser(inQuery ? noFields : otherFields);
  const read = (given: RequestParts): ReadInput => {
    const parts = row.options.visited ? ignoreUnknownFields(given, otherFields) : given;
    // Without this, a request that lost its body would clear every optional field.
    if (row.method === 'PUT' && parts.body === undefined) throw new Refusal('body_missing');
    const all = [parseParams(parts.params), parseQuery(parts.query)];
    if (!inQuery || parts.body !== undefined) all.push(parseBody(parts.body));
    return {
      input: Object.assign({}, ...all.map(({ input: values }) => values)) as object,
      errors: all.flatMap(({ errors }) => errors).slice(0, errors_max),
    };
  };
  const compile = () => [parseParams, parseQuery, parseBody].forEach((parser) => parser.compile());
  return Object.assign(read, { compile });
}

/** Returns an input without faults. @throws Refusal `field_invalid` (422), which names every invalid field. */
export function requireValid({ input, errors }: ReadInput): object {
  if (errors.length === 0) return input;
  throw createInputRefusal(errors);
}

/** Refuses an input that its schema finds faults in. */
export function createInputRefusal(errors: readonly FieldError[]): Refusal {
  const detail = errors.map(({ pointer, reason }) => `${pointer || '/'} ${reason}`).join('; ');
  return new Refusal('field_invalid', { detail, errors });
}

/** Other services send browsers to these rows, and add fields of their own. */
function ignoreUnknownFields({ params, query, body }: RequestParts, { properties }: TObject): RequestParts {
  const select = (fields: unknown) =>
    typeof fields === 'object' && fields !== null
      ? Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(properties, name)))
      : fields;
  return { params, query: select(query), body: select(body) };
}

/**
 * Builds the parser of a path or a query, whose values are text: `limit=20` is the integer 20. Other notations (` 20`, `0x14`) are refused.
 */
function buildTextsParser(schema: TObject): Parser {
  // TypeBox does not declare `type`, which is absent from some schemas.
  const properties = schema.properties as Readonly<Record<string, { readonly type?: unknown } | undefined>>;
  const compile = compileOnFirstUse(inputAjv, schema);
  const hasFields = Object.keys(properties).length > 0;
  const parse = (texts: unknown): ReadInput => {
    const entries = Object.entries(texts as object);
    if (entries.length === 0 && !hasFields) return { input: {}, errors: [] };
    const values = entries.map(([name, text]) => [name, parseValue(properties[name]?.type, text)]);
    return checkValue(compile(), readFields(schema, Object.fromEntries(values)));
  };
  return Object.assign(parse, { compile });
}

function buildBodyParser(schema: TObject): Parser {
  const compile = compileOnFirstUse(inputAjv, schema);
  const parse = (body: unknown) => checkValue(compile(), body === undefined ? {} : readFields(schema, body));
  return Object.assign(parse, { compile });
}

type Parser = ((part: unknown) => ReadInput) & Compilable;

/** Builds the guard of a reply, which throws if the body has anything that the schema does not name, because that would be a leak. */
export function buildOutputGuard(
  operationName: string,
  status: number,
  schema: TSchema,
): ((body: unknown) => string) & Compilable {
  const compile = compileOnFirstUse(outputAjv, removeSchemaIds(schema));
  const guard = (body: unknown): string => {
    const check = compile();
    if (check(body)) return JSON.stringify(body);
    const [first] = check.errors ?? [];
    throw new Error(
      `the reply ${status} of ${operationName} does not match its schema: ${first?.instancePath} ${first?.message}`,
    );
  };
  return Object.assign(guard, { compile });
}

/** Compiles a schema when it is needed: with all of them, a start would take half as long again. */
function compileOnFirstUse(compiler: Ajv2020, schema: object): () => ValidateFunction {
  return computeOnce(() => compiler.compile(schema));
}

/** Ajv accepts each `$id` only once. Here they only name shapes for the API reference, and several operations use the same shape. */
function removeSchemaIds(schema: object): object {
  const entries = Object.entries(schema).filter(([key]) => key !== '$id');
  return Object.fromEntries(entries.map(([key, value]) => [key, removeNestedIds(value)]));
}

function removeNestedIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeNestedIds);
  return typeof value === 'object' && value !== null ? removeSchemaIds(value) : value;
}

function pickProperties(input: TObject, isWanted: (name: string) => boolean): TObject {
  const picked = Object.entries(input.properties).filter(([name]) => isWanted(name));
  return picked.length === 0 ? noFields : closedObject(Object.fromEntries(picked));
}

/** One schema for every part of a request without fields: it is compiled once. */
const noFields = closedObject({});

/**
 * Reads the fields of an object that have several spellings, and their lists, in one. Models and serialisers of many languages write a field
 * without a value as null: it is left out if it may be, unless null means something to it.
 */
function readFields({ properties, required = [] }: FieldSchemas, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value as Readonly<Record<string, unknown>>).flatMap(
    ([name, each]): [string, unknown][] => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (field === undefined) return [[name, each]];
      const mayBeAbsent = !required.includes(name) || Object.hasOwn(field, 'default');
      if (each === null && mayBeAbsent && isNeverNull(field)) return [];
      return [[name, readField(field, each)]];
    },
  );
  return Object.fromEntries(entries);
}

type FieldSchemas = {
  readonly properties: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
};

/** Whether a schema says by its keywords that null is no value of it. */
function isNeverNull(schema: TSchema): boolean {
  const keywords = schema as {
    readonly type?: unknown;
    readonly enum?: readonly unknown[];
    readonly const?: unknown;
    readonly anyOf?: readonly TSchema[];
  };
  const { type, enum: values, anyOf } = keywords;
  if (type !== undefined) return ![type].flat().includes('null');
  if (values !== undefined) return !values.includes(null);
  if (anyOf !== undefined) return anyOf.every(isNeverNull);
  return keywords.const !== undefined && keywords.const !== null;
}

function readField(schema: TSchema, value: unknown): unknown {
  const {
    [kind_keyword]: kind,
    items,
    properties,
    required,
  } = schema as { [kind_keyword]?: OutsideKind; items?: TSchema } & Partial<FieldSchemas>;
  if (kind !== undefined && typeof value === 'string') return readOutsideValue(kind, value);
  if (properties !== undefined) return readFields({ properties, ...(required && { required }) }, value);
  return items !== undefined && Array.isArray(value) ? value.map((each) => readField(items, each)) : value;
}

function parseValue(type: unknown, text: unknown): unknown {
  if (typeof text !== 'string') return text;
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return type === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text;
}

function checkValue(check: ValidateFunction, value: unknown): ReadInput {
  const isValid = check(value);
  const input = typeof value === 'object' && value !== null ? value : {};
  return { input, errors: isValid ? [] : listFieldErrors((check.errors ?? []).slice(0, errors_max)) };
}

/** Describes what is wrong with each field, once if several rules give the same reason. */
function listFieldErrors(faults: readonly ErrorObject[]): readonly FieldError[] {
  const errors = faults.map(toFieldError);
  return [...new Map(errors.map((each) => [`${each.pointer} ${each.reason}`, each])).values()];
}

/** A missing and an unknown field are named themselves, not the object that contains them. */
function toFieldError(fault: ErrorObject): FieldError {
  const { missingProperty, additionalProperty } = fault.params as Readonly<
    Record<string, string | undefined>
  >;
  const field = missingProperty ?? additionalProperty;
  const pointer = field === undefined ? fault.instancePath : `${fault.instancePath}/${escapePointer(field)}`;
  return { pointer, reason: describeFault(fault) };
}

/** Escapes a field name for a JSON pointer (RFC 6901). */
function escapePointer(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}
