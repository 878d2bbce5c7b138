import {
  Type,
  type Static,
  type TObject,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TStringOptions,
} from 'typebox';
import type { OutsideKind } from '#lib/outside-values.ts';

/** The annotation of a schema that says in words what its pattern requires; it completes "The field …". */
export const reason_keyword = 'x-reason';

/** The annotation of a text that is read in its one spelling before it is checked: see `lib/outside-values.ts`. */
export const kind_keyword = 'x-kind';

/**
 * Text that must match a regular expression. `reason` is the reason of the 422 for other text, and part of the API reference:
 * `patternText('^[A-Z]{3}$', 'must be a currency code such as AUD')`.
 */
export function patternText(pattern: string, reason: string, options: TStringOptions = {}) {
  return Type.String({ ...options, pattern, [reason_keyword]: reason });
}

/** An identifier. The maximum length excludes `urn:uuid:…`, which the format permits and PostgreSQL refuses. */
export const uuid = Type.String({
  format: 'uuid',
  maxLength: 36,
  [kind_keyword]: 'id' satisfies OutsideKind,
});

/** ISO 8601 in UTC, as `toISOString` writes it. */
export const timestamp = patternText('Z$', 'must be a time in UTC such as 2026-03-01T12:00:00Z', {
  format: 'date-time',
  [kind_keyword]: 'time' satisfies OutsideKind,
});

/** Characters that show nothing: space, and those that Unicode says to ignore or to leave blank. */
const invisible =
  '\\s\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0';

/** Text to store: at least one visible character, and no NUL, which PostgreSQL cannot store. */
export const text = (maxLength: number) =>
  // The pattern needs one pass over any text. It is tested even if maxLength has already failed.
  patternText(
    `^(?=[${invisible}]*[^${invisible}])[^\\u0000]*$`,
    'must contain a visible character and no NUL',
    {
      minLength: 1,
      maxLength,
    },
  );

/** Defines an object with these fields and no others, for replies and nested inputs. */
export function closedObject<const Fields extends TProperties>(fields: Fields, options: TObjectOptions = {}) {
  return Type.Object(fields, { ...options, additionalProperties: false });
}

/** Permits null as well. It is one schema instead of a union, so that an invalid field is reported once, with one reason. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  const { type, enum: values } = schema as { type?: string; enum?: readonly unknown[] };
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    ...(type !== undefined && { type: [type, 'null'] }),
    ...(values !== undefined && { enum: [...values, null] }),
  });
}

/**
 * Describes a field for the API reference: a sentence, and a realistic value that the samples of requests and replies use. Fields that mean
 * the same in several modules have both in `src/tables/fields.ts`, by their name.
 */
export function field<Schema extends TSchema>(
  schema: Schema,
  description: string,
  example?: unknown,
): Schema {
  return { ...schema, description, ...(example !== undefined && { examples: [example] }) };
}

/** The value of a field as rows have it: a time is a Date, and a list cannot be changed. */
type RowValue<Value> = Value extends string
  ? string extends Value
    ? string | Date
    : Value
  : Value extends readonly (infer Each)[]
    ? readonly Each[]
    : Value;

type RowOf<Reply> = { readonly [Key in keyof Reply]: RowValue<Reply[Key]> };

/**
 * Converts a row to a reply: the values of the fields that the schema names, with times as text. What a row does not have, or has otherwise, is
 * spread over it: `toReply(noteWire, { ...note, is_long: note.text.length > 80 })`.
 */
export function toReply<Schema extends TObject>(schema: Schema, row: RowOf<Static<Schema>>): Static<Schema> {
  const values: Readonly<Record<string, unknown>> = row;
  const reply: Record<string, unknown> = {};
  for (const name in schema.properties) {
    const value = values[name];
    if (value !== undefined) reply[name] = value instanceof Date ? value.toISOString() : value;
  }
  return reply as Static<Schema>;
}
