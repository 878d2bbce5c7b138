import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { Type, type TObject, type TSchema } from 'typebox';
import { Refusal, type FieldError } from '#lib/refusal.ts';
import { findFieldLocation, listPathFields, type Row } from '#platform/http/row.ts';
import { countLengthsLazily } from '#platform/http/text-length.ts';

/** The three places of a request that an operation's input is gathered from. */
export type RequestParts = { readonly params: unknown; readonly query: unknown; readonly body: unknown };

const errors_max = 20;

/** Values are taken as they are: a string is not a number, and a field that nobody named is refused. */
const inputAjv = createAjv({ allErrors: true }, 'full');
/** Replies are our own: the first fault tells enough, and a time that we wrote is in the calendar. */
const outputAjv = createAjv({ allErrors: false }, 'fast');

function createAjv(options: { allErrors: boolean }, mode: 'full' | 'fast'): Ajv2020 {
  const fixed = { coerceTypes: false, useDefaults: true, removeAdditional: false, strict: false } as const;
  const made = new Ajv2020({ ...options, ...fixed });
  formats.default(made, { mode });
  countLengthsLazily(made);
  return made;
}

/**
 * Makes the function that turns a request of this row into its operation's input.
 *
 * The function throws Refusal `field_invalid` (422), naming every wrong field by JSON pointer.
 */
export function buildInputParser(row: Row, input: TObject): (parts: RequestParts) => never {
  const inPath = listPathFields(row.path);
  const own = pickProperties(input, (name) => inPath.includes(name));
  const rest = pickProperties(input, (name) => !inPath.includes(name));
  const nothing = pickProperties(input, () => false);
  const inQuery = findFieldLocation(row) === 'query';
  const parseParams = buildTextsParser(own);
  const parseQuery = buildTextsParser(inQuery ? rest : nothing);
  const parseBody = buildBodyParser(inQuery ? nothing : rest);
  return (parts) => {
    const input = Object.assign(parseParams(parts.params), parseQuery(parts.query));
    if (inQuery && parts.body === undefined) return input as never;
    return Object.assign(input, parseBody(parts.body)) as never;
  };
}

/** Reads a path or a query: text by nature, so `limit=20` is the integer 20. Written otherwise (` 20`, `0x14`), it stays text and is refused. */
function buildTextsParser(schema: TObject): (texts: unknown) => object {
  const properties = schema.properties as Readonly<Record<string, { readonly type?: unknown } | undefined>>;
  const compile = compileOnFirstUse(inputAjv, schema);
  const takesNothing = Object.keys(properties).length === 0;
  return (texts) => {
    const entries = Object.entries(texts as object);
    if (entries.length === 0 && takesNothing) return {};
    const values = entries.map(([name, text]) => [name, parseValue(properties[name]?.type, text)]);
    return checkValue(compile(), Object.fromEntries(values));
  };
}

function buildBodyParser(schema: TObject): (body: unknown) => object {
  const compile = compileOnFirstUse(inputAjv, schema);
  return (body) => checkValue(compile(), body === undefined ? {} : body);
}

/** Makes the guard of a reply: it throws on anything that the schema does not name, because that would be a leak. */
export function buildOutputGuard(
  operationName: string,
  status: number,
  schema: TSchema,
): (body: unknown) => string {
  const compile = compileOnFirstUse(outputAjv, removeSchemaIds(schema) as TSchema);
  return (body) => {
    const check = compile();
    if (check(body)) return JSON.stringify(body);
    const [first] = check.errors ?? [];
    throw new Error(
      `${operationName} answered ${status} outside its schema: ${first?.instancePath} ${first?.message}`,
    );
  };
}

/** Compiles at the first request that needs it: all at once would take a quarter of the time of a start. */
function compileOnFirstUse(compiler: Ajv2020, schema: TSchema): () => ValidateFunction {
  let compiled: ValidateFunction | undefined;
  return () => (compiled ??= compiler.compile(schema));
}

/** Ajv takes an `$id` once; ours only name the shapes of the reference, and stand in several operations. */
function removeSchemaIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(removeSchemaIds);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id: _id, ...rest } = schema as { $id?: unknown };
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, removeSchemaIds(value)]));
}

function pickProperties(input: TObject, isWanted: (name: string) => boolean): TObject {
  const properties = Object.fromEntries(Object.entries(input.properties).filter(([name]) => isWanted(name)));
  const required = (input.required ?? []).filter(isWanted);
  return { ...Type.Object({}), properties, required, additionalProperties: false } as unknown as TObject;
}

function parseValue(type: unknown, text: unknown): unknown {
  if (typeof text !== 'string') return text;
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return type === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text;
}

function checkValue(check: ValidateFunction, value: unknown): object {
  if (check(value)) return value as object;
  const errors = (check.errors ?? []).slice(0, errors_max).map(toFieldError);
  throw new Refusal('field_invalid', {
    detail: errors.map(({ pointer, reason }) => `${pointer || '/'} ${reason}`).join('; '),
    errors,
  });
}

function toFieldError(error: ErrorObject): FieldError {
  const params = error.params as {
    missingProperty?: string;
    additionalProperty?: string;
    allowedValues?: unknown[];
  };
  const at = error.instancePath;
  if (params.missingProperty)
    return { pointer: `${at}/${escapePointer(params.missingProperty)}`, reason: 'is required' };
  if (params.additionalProperty)
    return {
      pointer: `${at}/${escapePointer(params.additionalProperty)}`,
      reason: 'is not a field of this request',
    };
  if (params.allowedValues)
    return { pointer: at, reason: `must be one of ${params.allowedValues.join(', ')}` };
  return { pointer: at, reason: error.message ?? 'is not valid' };
}

/** RFC 6901 escapes. */
function escapePointer(name: string): string {
  return name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
}
