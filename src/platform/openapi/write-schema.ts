import type { TProperties } from 'typebox';
import type { OutsideKind } from '#lib/outside-values.ts';
import { readExample, type Schema } from '#platform/openapi/build-sample.ts';
import type { ApiTexts } from '#platform/openapi/api-texts.ts';
import { kind_keyword, reason_keyword } from '#platform/schema.ts';

/** Fields that problems of one status have besides the usual ones, with a sample of them. */
export type ProblemParts = { readonly status: number; readonly fields: TProperties; readonly sample: object };

/** What a document defines once and refers to: schemas, error replies and samples of problems, by name; and what it says by itself. */
export type Components = {
  readonly texts: ApiTexts;
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
  const { $id, ...rest } = describeKind(schema);
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

/** What a request may have of each kind of text that is read in its one spelling. */
const formats: Readonly<Record<OutsideKind, string>> = {
  email: 'idn-email',
  domain: 'idn-hostname',
  time: 'date-time',
  id: 'uuid',
};

/** The pattern of such a text holds for its one spelling. A client that compared what it sends with the pattern would refuse the others. */
function describeKind(schema: Schema): Schema {
  const { [kind_keyword]: kind, pattern: _pattern, [reason_keyword]: _reason, ...rest } = schema;
  return kind === undefined ? schema : { ...rest, format: formats[kind as OutsideKind] };
}

/**
 * Writes the schema of a reply or an event for its readers. The service itself sends no field that the schema does not name; but a later version may add
 * one, so a reader must ignore what it does not know, and the published schema is open.
 */
export function writeOpenSchema(schema: Schema, components: Components): Schema {
  return writeSchema(openObjects(schema) as Schema, components);
}

/** Besides, what is sent is in its one spelling. */
function openObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openObjects);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => key !== kind_keyword && (key !== 'additionalProperties' || inner !== false))
      .map(([key, inner]) => [key, key === 'examples' || key === 'enum' ? inner : openObjects(inner)]),
  );
}

/** Writes the schema of the field `name`, with its description and an example, unless its parts have examples of their own. */
export function writeField(name: string, schema: Schema, components: Components): Schema {
  const { fields } = components.texts;
  const note = Object.hasOwn(fields, name) ? fields[name]! : undefined;
  const description = schema['description'] ?? note?.[0];
  const example = readExample(schema, fields, name);
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
  if (keyword === 'patternProperties')
    return Object.fromEntries(
      Object.entries(value as Schema).map(([pattern, inner]) => [
        pattern,
        writeSchema(inner as Schema, components),
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
