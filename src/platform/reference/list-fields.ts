/** A part of an OpenAPI document. */
export type Node = Readonly<Record<string, unknown>>;

/** A field of a request or a reply, for the table of the page. `name` is its path, such as `pagination.next_cursor`. */
export type ListedField = {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  readonly example: unknown;
};

const depth_max = 6;
/** Longer lists, such as many answers at once, repeat themselves. */
const fields_max = 60;

/** Lists the fields of a schema and of the objects in it, in their order. */
export function listFields(schema: Node, schemas: Readonly<Record<string, Node>>): readonly ListedField[] {
  return [...walkFields(schema, schemas, '', 0)].slice(0, fields_max);
}

function* walkFields(
  schema: Node,
  schemas: Readonly<Record<string, Node>>,
  path: string,
  depth: number,
): Generator<ListedField> {
  if (depth > depth_max) return;
  const { $ref, properties = {}, required = [], items, anyOf } = schema;
  if (typeof $ref === 'string')
    yield* walkFields(schemas[$ref.split('/').at(-1)!] ?? {}, schemas, path, depth + 1);
  for (const [name, field] of Object.entries(properties as Record<string, Node>)) {
    yield {
      name: `${path}${name}`,
      type: describeType(field),
      required: (required as readonly string[]).includes(name),
      description: typeof field['description'] === 'string' ? field['description'] : '',
      example: (field['examples'] as readonly unknown[] | undefined)?.[0],
    };
    yield* walkFields(field, schemas, `${path}${name}.`, depth + 1);
  }
  if (typeof items === 'object' && items !== null) yield* walkFields(items as Node, schemas, path, depth + 1);
  if (Array.isArray(anyOf))
    for (const each of anyOf as readonly Node[]) yield* walkFields(each, schemas, path, depth + 1);
}

type Shape = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number | null)[];
  readonly format?: string;
  readonly items?: Node;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly $ref?: string;
};

/** Describes the values of a schema in a few words: its type, its values or its range. */
export function describeType(schema: Node): string {
  const { type = 'any', enum: values, format, items, minimum, maximum, maxLength, $ref } = schema as Shape;
  if ($ref !== undefined) return $ref.split('/').at(-1)!;
  if (values !== undefined) return `one of ${values.join(', ')}`;
  const name = [type].flat().join(' or ');
  if (items !== undefined) return `${name} of ${describeType(items)}`;
  if (format !== undefined) return `${name} (${format})`;
  if (minimum !== undefined && maximum !== undefined) return `${name} from ${minimum} to ${maximum}`;
  return maxLength === undefined ? name : `${name} of at most ${maxLength} characters`;
}
