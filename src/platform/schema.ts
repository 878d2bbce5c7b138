import { Type, type Static, type TObjectOptions, type TProperties, type TSchema } from 'typebox';

/** An identifier of ours. The format alone also takes `urn:uuid:…`, which PostgreSQL does not. */
export const uuid = Type.String({ format: 'uuid', maxLength: 36 });

/** ISO 8601 in UTC, as `toISOString` writes it. */
export const timestamp = Type.String({ format: 'date-time', pattern: 'Z$' });

/** Text to keep: at least one visible character, and no NUL, which PostgreSQL cannot store. */
export const text = (maxLength: number) =>
  // One run over the text, whatever is in it: the pattern is tried also where maxLength has failed already.
  Type.String({ minLength: 1, maxLength, pattern: '^(?=\\s*\\S)[^\\u0000]*$' });

/** An object with these fields and no others: what every reply and every nested input is made of. */
export function closedObject<const Fields extends TProperties>(fields: Fields, options: TObjectOptions = {}) {
  return Type.Object(fields, { ...options, additionalProperties: false });
}

/** The value or null. One schema instead of a union, so that a wrong field is named once, with one reason. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  const { type, enum: values } = schema as { type?: string; enum?: readonly unknown[] };
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    ...(type !== undefined && { type: [type, 'null'] }),
    ...(values !== undefined && { enum: [...values, null] }),
  });
}
