import type { FieldNotes } from '#platform/openapi/api-texts.ts';

/** A JSON Schema, as a plain object. */
export type Schema = Readonly<Record<string, unknown>>;

const lists_depth_max = 12;

/**
 * Builds a realistic value of a schema from the examples of its fields. `name` is the field that the schema belongs to, whose note
 * has the example that counts if the schema has none. A field without any example is null, which a test reports.
 */
export function buildSample(schema: Schema, notes: FieldNotes, name = '', depth = 0): unknown {
  if (depth > lists_depth_max) throw new Error('a schema contains itself');
  const stated = readExample(schema, notes, name);
  if (stated !== undefined) return stated;
  const { anyOf, properties, items } = schema;
  if (Array.isArray(anyOf)) return buildSample(anyOf[0] as Schema, notes, name, depth + 1);
  if (isObject(properties))
    return Object.fromEntries(
      Object.entries(properties).map(([key, inner]) => [
        key,
        buildSample(inner as Schema, notes, key, depth + 1),
      ]),
    );
  if (isObject(items)) return [buildSample(items, notes, '', depth + 1)];
  return null;
}

/** The example that a schema states, or that its field has everywhere, or that follows from its values. */
export function readExample(schema: Schema, notes: FieldNotes, name: string): unknown {
  const { examples, enum: values, const: constant } = schema;
  if (Array.isArray(examples)) return examples[0];
  const isWhole =
    isObject(schema['properties']) || isObject(schema['items']) || Array.isArray(schema['anyOf']);
  const common = Object.hasOwn(notes, name) ? notes[name]![1] : undefined;
  if (common !== undefined && !isWhole && mayHave(schema, common)) return common;
  if (schema['default'] !== undefined) return schema['default'];
  if (Array.isArray(values)) return values[0];
  return constant;
}

/** Whether a common example is possible here: an enum may be narrower than elsewhere, and null may not be permitted. */
function mayHave({ enum: values, type }: Schema, example: unknown): boolean {
  if (Array.isArray(values)) return values.includes(example);
  return example !== null || [type].flat().includes('null');
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
