import { additionalRows, specifiedRows } from '../src/tables/api.ts';
import type { Row } from '#platform/http/row.ts';
import { isOtherOutput, type Output } from '#platform/operation.ts';

export type Wire = Readonly<Record<string, unknown>>;

/** A schema inside a reply or a request, and its path: `.data[].id`. */
export type Place = { readonly at: string; readonly name: string; readonly schema: Wire };

/** All rows under `/api/v1`. */
export const apiRows: readonly Row[] = [...specifiedRows, ...additionalRows];

/** Every schema inside a schema; the schema itself comes first. */
export function listPlaces(schema: unknown, at = '', name = ''): readonly Place[] {
  const { properties, items, anyOf, oneOf, allOf, additionalProperties } = schema as {
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly items?: unknown;
    readonly anyOf?: readonly unknown[];
    readonly oneOf?: readonly unknown[];
    readonly allOf?: readonly unknown[];
    readonly additionalProperties?: unknown;
  };
  const alternatives = [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])];
  return [
    { at, name, schema: schema as Wire },
    ...Object.entries(properties ?? {}).flatMap(([key, each]) => listPlaces(each, `${at}.${key}`, key)),
    ...(items === undefined ? [] : listPlaces(items, `${at}[]`, name)),
    ...alternatives.flatMap((each) => listPlaces(each, at, name)),
    ...(typeof additionalProperties === 'object' && additionalProperties !== null
      ? listPlaces(additionalProperties, `${at}.*`, name)
      : []),
  ];
}

/** Every schema inside the successful replies of a row. */
export function listOutputPlaces({ operation }: Row): readonly Place[] {
  return Object.entries(operation.output).flatMap(([status, output]) => {
    const schema = findSchema(output);
    return schema === undefined ? [] : listPlaces(schema, status);
  });
}

function findSchema(output: Output): unknown {
  if (output === null) return undefined;
  if (!isOtherOutput(output)) return output;
  return output.kind === 'report' ? output.schema : undefined;
}

/** Whether a value of this schema may have one of these types. A schema without type, enumeration or alternatives allows any type. */
export function mayBeOfType(
  { type, enum: values, const: constant, anyOf, oneOf, allOf }: Wire,
  ...types: readonly string[]
): boolean {
  if (anyOf ?? oneOf ?? allOf) return false;
  const listed =
    (values as readonly unknown[] | undefined) ?? (constant === undefined ? undefined : [constant]);
  if (listed) return listed.some((value) => types.includes(typeof value));
  return type === undefined || [type].flat().some((each) => types.includes(each as string));
}
