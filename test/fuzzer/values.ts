import fc from 'fast-check';
import type { Schema } from './document.ts';

/** Field name → values that a generator would not find: ids of existing objects, passwords, cursors. */
export type Dictionary = Readonly<Record<string, readonly unknown[]>>;

/** Generates values that satisfy a schema. If the dictionary has the name, most values come from there. */
export function generateValid(schema: Schema, dictionary: Dictionary, name = ''): fc.Arbitrary<unknown> {
  const known = dictionary[name];
  const generated = generateBySchema(schema, dictionary);
  if (!known || known.length === 0) return generated;
  return fc.oneof({ arbitrary: fc.constantFrom(...known), weight: 3 }, { arbitrary: generated, weight: 1 });
}

function generateBySchema(schema: Schema, dictionary: Dictionary): fc.Arbitrary<unknown> {
  const { enum: values, const: constant, anyOf, type } = schema;
  if (Array.isArray(values)) return fc.constantFrom(...(values as unknown[]));
  if (constant !== undefined) return fc.constant(constant);
  if (Array.isArray(anyOf))
    return fc.oneof(...(anyOf as Schema[]).map((each) => generateBySchema(each, dictionary)));
  if (Array.isArray(type))
    return fc.oneof(...(type as string[]).map((each) => generateByType(each, schema, dictionary)));
  return generateByType(String(type), schema, dictionary);
}

function generateByType(type: string, schema: Schema, dictionary: Dictionary): fc.Arbitrary<unknown> {
  if (type === 'string') return generateText(schema);
  if (type === 'integer') return generateInteger(schema);
  if (type === 'number') return generateNumber(schema);
  if (type === 'boolean') return fc.boolean();
  if (type === 'array') {
    const {
      items = {},
      minItems = 0,
      maxItems = 5,
      uniqueItems = false,
    } = schema as { items?: Schema; minItems?: number; maxItems?: number; uniqueItems?: boolean };
    const limits = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 5) };
    const item = generateValid(items, dictionary);
    return uniqueItems ? fc.uniqueArray(item, limits) : fc.array(item, limits);
  }
  if (type === 'object') return generateObject(schema, dictionary);
  return type === 'null' ? fc.constant(null) : fc.jsonValue({ maxDepth: 2 });
}

function generateText(schema: Schema): fc.Arbitrary<string> {
  const {
    format,
    pattern,
    minLength = 0,
    maxLength = 300,
  } = schema as {
    format?: string;
    pattern?: string;
    minLength?: number;
    maxLength?: number;
  };
  if (format === 'uuid') return fc.uuid();
  if (format === 'idn-email') return email;
  if (format === 'idn-hostname') return fc.stringMatching(/^[a-z0-9]{6,20}\.example$/);
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  const free = fc.oneof(
    fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 40), unit: 'grapheme' }),
    fc.constantFrom(...hostileTexts, 'x'.repeat(maxLength), '𝕏'.repeat(maxLength)),
  );
  const hasFittingLength = (value: string) =>
    countCodePoints(value) <= maxLength && countCodePoints(value) >= minLength;
  if (pattern === undefined) return free.filter(hasFittingLength);
  const expression = new RegExp(pattern, 'u');
  const permissive = expression.test('a b') && expression.test('é1');
  const shortest = Math.max(minLength, pattern.endsWith('+$') ? 1 : 0);
  // The generator repeats a few times only, so that a text with a minimum length would never come.
  const bounded = pattern.replace(/[*+]\$$/, `{${shortest},${Math.min(maxLength, shortest + 40)}}$`);
  return (permissive ? free : generateMatching(new RegExp(bounded, 'u'))).filter(
    (value) => hasFittingLength(value) && expression.test(value),
  );
}

/** The length of a text as JSON Schema counts it. */
export function countCodePoints(text: string): number {
  return Array.from(text).length;
}

const email = fc.stringMatching(/^[a-z0-9]{6,20}@example\.org$/);

/** Generates text that matches a pattern. The generator does not support lookaheads: such a pattern gets email addresses, or needs a dictionary entry. */
function generateMatching(expression: RegExp): fc.Arbitrary<string> {
  if (!expression.source.includes('(?=')) return fc.stringMatching(expression);
  return email;
}

function generateInteger(schema: Schema): fc.Arbitrary<number> {
  const { minimum = -2_147_483_648, maximum = 2_147_483_647 } = schema as {
    minimum?: number;
    maximum?: number;
  };
  return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum));
}

function generateNumber(schema: Schema): fc.Arbitrary<number> {
  const { minimum = -1e9, maximum = 1e9 } = schema as { minimum?: number; maximum?: number };
  return fc.oneof(fc.double({ min: minimum, max: maximum, noNaN: true }), fc.constantFrom(minimum, maximum));
}

function generateObject(schema: Schema, dictionary: Dictionary): fc.Arbitrary<unknown> {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Record<string, Schema>;
    required?: string[];
    additionalProperties?: unknown;
  };
  const fields = Object.entries(properties).map(
    ([name, each]) => [name, generateValid(each, dictionary, name)] as const,
  );
  const named = fc.record(Object.fromEntries(fields), { requiredKeys: required });
  if (typeof additionalProperties !== 'object' || additionalProperties === null) return named;
  const others = fc.dictionary(
    fc.string({ maxLength: 20 }),
    generateBySchema(additionalProperties as Schema, dictionary),
    { maxKeys: 4 },
  );
  return fc.tuple(named, others).map(([one, other]) => ({ ...other, ...one }));
}

const long_text_max = 200_000;

/**
 * The longest texts that a field accepts, and longer ones where it has no limit: one character again and again, and at last another one. They
 * are what a slow regular expression needs.
 */
export function listLongTexts({ type, maxLength = long_text_max }: Schema): readonly string[] {
  const isText = type === 'string' || (Array.isArray(type) && type.includes('string'));
  if (!isText) return [];
  const characters = Math.min(Number(maxLength), long_text_max) - 2;
  return [' ', '\n', '0', 'a', 'A', '.', '-', '='].map((each) => `a${each.repeat(Math.max(characters, 0))}!`);
}

/** The values just outside a schema's bounds; none if it has no bounds. */
export function listOutsideValues(schema: Schema): readonly unknown[] {
  const {
    minimum,
    maximum,
    minLength = 0,
    maxLength,
    minItems = 0,
    maxItems,
    enum: values,
  } = schema as Readonly<Record<string, number | undefined>> & {
    readonly enum?: readonly unknown[];
  };
  return [
    ...(minimum === undefined ? [] : [minimum - 1, minimum - 1e-9]),
    ...(maximum === undefined ? [] : [maximum + 1, maximum + 1e-6]),
    ...(minLength > 0 ? ['x'.repeat(minLength - 1)] : []),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1), '𝕏'.repeat(maxLength + 1)]),
    ...(minItems > 0 ? [[]] : []),
    ...(maxItems === undefined ? [] : [Array(maxItems + 1).fill('x')]),
    ...(values === undefined ? [] : [`${String(values[0])} `, String(values[0]).toUpperCase(), null]),
  ];
}

const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\t\n',
  '\0',
  'a\0b',
  '\u{d800}',
  'x\u{dfff}y',
  '\u{feff}',
  '\u{202e}txet',
  'e\u{301}'.repeat(20),
  '👩‍👩‍👧‍👦',
  'ß'.repeat(300),
  "'; drop table users; --",
  '" or ""="',
  '%00',
  '%',
  '\\',
  '\\u0000',
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '=cmd|calc!A1',
  '( | & ! : <-> *',
  '-- /* */ ;',
  'NaN',
  'null',
  'true',
  '1e1',
  '0x10',
  '-1',
  '9'.repeat(400),
  'A'.repeat(10_000),
  'a@b',
  'a@example.org\r\nBcc: b@example.org',
  '2026-02-30T25:61:61Z',
  'urn:uuid:00000000-0000-4000-8000-000000000000',
  '{00000000-0000-4000-8000-000000000000}',
  '00000000000040008000000000000000',
];

const hostileNumbers: readonly number[] = [
  0, -0, -1, 1, 1.5, 0.1, 2_147_483_647, 2_147_483_648, -2_147_483_649, 9_007_199_254_740_991,
  9_007_199_254_740_992, 1e21, 1e308, -1e308, 5e-324,
];

/** Unexpected values: text that breaks parsers, numbers at limits, other types. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown[]>(...hostileTexts),
  fc.constantFrom<unknown[]>(...hostileNumbers),
  fc.constantFrom<unknown[]>(null, true, false, [], {}, [null], [[]], { '': null }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }),
);

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
