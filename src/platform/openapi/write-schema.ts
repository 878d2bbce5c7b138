import type { TProperties } from 'typebox';
import { readExample, type Schema } from '#platform/openapi/build-sample.ts';
import { commonFields } from '#platform/openapi/common-fields.ts';

/** Fields that problems of one status have besides the usual ones, with a sample of them. */
export type ProblemParts = { readonly status: number; readonly fields: TProperties; readonly sample: object };

/** What a document defines once and refers to: schemas, error replies and samples of problems, by name. */
export type Components = {
  readonly problem?: ProblemParts;
  readonly schemas: Record<string, unknown>;
  readonly responses: Record<string, unknown>;
  readonly examples: Record<string, unknown>;
};

/**
 * Writes a schema for the document. Schemas with an `$id` become components, enums get their type, fields that have a default are optional
 * as they are on the wire, and every field gets its description and example. The schemas of the validators stay as they are.
 */
export function writeSchema(schema: Schema, components: Components): Schema {
  const { $id, ...rest } = schema;
  const written = Object.fromEntries(
    Object.entries({ ...addType(rest), ...findRequired(rest) }).map(([key, value]) => [
      key,
      writeKeyword(key, value, components),
    ]),
  );
  if (typeof $id !== 'string') return written;
  if (JSON.stringify(components.schemas[$id] ?? written) !== JSON.stringify(written))
    throw new Error(`two different schemas are called ${$id}`);
  components.schemas[$id] = written;
  return { $ref: `#/components/schemas/${$id}` };
}

/** Writes the schema of the field `name`, with its description and an example, unless its parts have examples of their own. */
export function writeField(name: string, schema: Schema, components: Components): Schema {
  const note = Object.hasOwn(commonFields, name) ? commonFields[name]! : undefined;
  const description = schema['description'] ?? note?.[0];
  const example = readExample(schema, name);
  return {
    ...writeSchema(schema, components),
    ...(description !== undefined && { description }),
    ...(example !== undefined && { examples: [example] }),
  };
}

function writeKeyword(keyword: string, value: unknown, components: Components): unknown {
  if (keyword === 'properties')
    return Object.fromEntries(
      Object.entries(value as Schema).map(([name, inner]) => [
        name,
        writeField(name, inner as Schema, components),
      ]),
    );
  if (['anyOf', 'oneOf', 'allOf'].includes(keyword))
    return (value as readonly Schema[]).map((inner) => writeSchema(inner, components));
  const isSchema = ['items', 'additionalProperties', 'propertyNames'].includes(keyword);
  return isSchema && typeof value === 'object' ? writeSchema(value as Schema, components) : value;
}

/** An enum without a type is an unknown value to most generators of clients. */
function addType(schema: Schema): Schema {
  const { enum: values, type } = schema;
  if (!Array.isArray(values) || type !== undefined) return schema;
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  return { type: types.length === 1 ? types[0] : types, ...schema };
}

function findRequired({ properties, required }: Schema): Schema {
  if (!Array.isArray(required)) return {};
  const hasDefault = (name: unknown) =>
    (properties as Record<string, Schema | undefined>)[String(name)]?.['default'] !== undefined;
  return { required: required.filter((name) => !hasDefault(name)) };
}
