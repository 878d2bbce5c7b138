import { Type, type Static, type TObject, type TOptional, type TSchema } from 'typebox';
import { createFragment, type Statement } from '#platform/database/sql.ts';
import { closedObject } from '#platform/schema.ts';

/**
 * Who sets a field:
 * - `editable`: the client, when it creates the resource and later;
 * - `given`: the client, when it creates the resource;
 * - `changeable`: the client, but only later;
 * - `fixed`: the service, when the resource is created; later, only statements of their own change it;
 * - `maintained`: the service, when the resource is created and later.
 */
type Setter = 'editable' | 'given' | 'changeable' | 'fixed' | 'maintained';

type Options<Value> = {
  /** What a client may send, where it differs from what a reply contains. */
  readonly input?: TSchema;
  /** The value of a new row that names none. The reference shows it if it is text, a number or a boolean. */
  readonly default?: Value;
  /** The column is a `timestamptz`, and the row has a Date; or it is `jsonb`. */
  readonly as?: 'time' | 'json';
  /** The field is stored, and never leaves the service. */
  readonly hidden?: true;
};

/** A field that is a column of the table. */
export type StoredField<
  S extends Setter = Setter,
  Schema extends TSchema = TSchema,
  O extends Options<unknown> = Options<unknown>,
> = { readonly setter: S; readonly schema: Schema; readonly options: O };

/** A field of the reply that is computed from the row. */
export type ComputedField<Schema extends TSchema = TSchema, Needs = never> = {
  readonly setter: 'nobody';
  readonly schema: Schema;
  readonly compute: (row: Needs) => Static<Schema>;
};

type FieldMap = Readonly<Record<string, StoredField | ComputedField>>;

function buildFieldMaker<S extends Setter>(setter: S) {
  return <Schema extends TSchema, const O extends Options<Static<Schema>> = Options<Static<Schema>>>(
    schema: Schema,
    options?: O,
  ): StoredField<S, Schema, O> => ({ setter, schema, options: options ?? ({} as O) });
}

/** A field that the client sets when it creates the resource, and may change. */
export const editable = buildFieldMaker('editable');

/** A field that the client sets when it creates the resource, and that never changes. */
export const given = buildFieldMaker('given');

/** A field that starts at its default, and that the client may change. */
export const changeable = buildFieldMaker('changeable');

/** A field that the service sets when the resource is created. Later, only statements of their own change it. */
export const fixed = buildFieldMaker('fixed');

/** A field that the service sets, and changes. */
export const maintained = buildFieldMaker('maintained');

/** A field of the reply that is computed from the row. */
export function computed<Schema extends TSchema, Needs>(
  schema: Schema,
  compute: (row: Needs) => Static<Schema>,
): ComputedField<Schema, Needs> {
  return { setter: 'nobody', schema, compute };
}

type Simplify<T> = { readonly [Key in keyof T]: T[Key] };

type StoredValue<F> =
  F extends StoredField<Setter, infer Schema, infer O>
    ? O extends { readonly as: 'time' }
      ? null extends Static<Schema>
        ? Date | null
        : Date
      : Static<Schema>
    : never;

type InputSchema<F> = F extends { readonly options: { readonly input: infer Schema extends TSchema } }
  ? Schema
  : F extends { readonly schema: infer Schema extends TSchema }
    ? Schema
    : never;

type HasDefault = { readonly options: { readonly default: unknown } };
type SetBy<S extends Setter> = { readonly setter: S };
type KeysOf<Fields, Condition> = {
  [Key in keyof Fields]: Fields[Key] extends Condition ? Key : never;
}[keyof Fields];

type StoredKeys<Fields> = KeysOf<Fields, SetBy<Setter>>;
type DefaultKeys<Fields> = KeysOf<Fields, SetBy<Setter> & HasDefault>;
type CreateKeys<Fields> = KeysOf<Fields, SetBy<'editable' | 'given'>>;
type ChangeKeys<Fields> = KeysOf<Fields, SetBy<'editable' | 'changeable'>>;
type UpdateKeys<Fields> = KeysOf<Fields, SetBy<'editable' | 'changeable' | 'maintained'>>;
type HiddenKeys<Fields> = KeysOf<Fields, { readonly options: { readonly hidden: true } }>;

/** A row of the resource's table, as statements return it. */
type RowOf<Fields> = Simplify<{ [Key in StoredKeys<Fields>]: StoredValue<Fields[Key]> }>;

type NewRowOf<Fields> = Simplify<
  { [Key in Exclude<StoredKeys<Fields>, DefaultKeys<Fields>>]: StoredValue<Fields[Key]> } & {
    [Key in DefaultKeys<Fields>]?: StoredValue<Fields[Key]> | undefined;
  }
>;

type UpdateOf<Fields> = Simplify<{ [Key in UpdateKeys<Fields>]: StoredValue<Fields[Key]> }>;

type WireFields<Fields> = {
  [Key in Exclude<keyof Fields, HiddenKeys<Fields>>]: Fields[Key] extends {
    readonly schema: infer Schema extends TSchema;
  }
    ? Schema
    : never;
};

type CreateFields<Fields> = {
  [Key in CreateKeys<Fields>]: Fields[Key] extends HasDefault
    ? TOptional<InputSchema<Fields[Key]>>
    : InputSchema<Fields[Key]>;
};

type ChangeFields<Fields> = { [Key in ChangeKeys<Fields>]: TOptional<InputSchema<Fields[Key]>> };

/** What a client may send to create the resource, with the defaults of what it left out. */
type CompleteInputOf<Fields> = Simplify<{
  [Key in CreateKeys<Fields>]: Static<InputSchema<Fields[Key]>>;
}>;

/** Refuses a computed field that needs something which the row does not have. */
type CheckedFields<Fields> = {
  [Key in keyof Fields]: Fields[Key] extends { readonly compute: (row: infer Needs) => unknown }
    ? RowOf<Fields> extends Needs
      ? Fields[Key]
      : never
    : Fields[Key];
};

/** A resource: one table, and everything that follows from the declaration of its fields. */
export type Resource<Fields> = {
  readonly table: string;
  readonly fields: Fields;
  /** The closed schema of a reply. */
  readonly wire: TObject<WireFields<Fields>>;
  /** The fields of a request that creates the resource. */
  readonly createInput: CreateFields<Fields>;
  /** The fields of a request that changes it: each may be left out. */
  readonly changeInput: ChangeFields<Fields>;
  /** The names of the fields that a client may change. */
  readonly changeableFields: readonly ChangeKeys<Fields>[];
  /** The list of columns: ``sql<Note>`select ${note.columns} from notes` ``. */
  readonly columns: Statement;
  /** All columns and values of a new row: ``sql`insert into notes ${note.insert(values)}` ``. */
  readonly insert: (row: NewRowOf<Fields>) => Statement;
  /** All columns that change, with their values: ``sql`update notes set ${note.update(row)} where id = ${row.id}` ``. */
  readonly update: (row: UpdateOf<Fields>) => Statement;
  /**
   * All columns that change, with the values of the row that an insert gives:
   * ``sql`insert into notes ${note.insert(values)} on conflict (owner_id) do update set ${note.replacement}` ``.
   */
  readonly replacement: Statement;
  /** Adds the defaults of the fields that a client left out. */
  readonly complete: (input: Static<TObject<CreateFields<Fields>>>) => CompleteInputOf<Fields>;
  /** Converts a row to a reply. */
  readonly toWire: (row: RowOf<Fields>) => Static<TObject<WireFields<Fields>>>;
};

/** The type of a row: `type Note = Row<typeof note>`. */
export type Row<R> = R extends Resource<infer Fields> ? RowOf<Fields> : never;

/** The type of a row to insert. A column with a default may be left out. */
export type NewRow<R> = R extends Resource<infer Fields> ? NewRowOf<Fields> : never;

/** The fields of a row that a client may change. */
export type ChangeableFields<R> =
  R extends Resource<infer Fields>
    ? Simplify<{ [Key in ChangeKeys<Fields>]: StoredValue<Fields[Key]> }>
    : never;

/**
 * Declares a resource: the name, type, example and setter of each field, in the order of the reply. The table has a column of the same name
 * for each field that is not computed. What a field's place needs (columns, statements, schemas, inputs, conversion) follows from its line,
 * so that none can be forgotten.
 *
 * @param names.$id The name of the reply's schema in the API reference.
 * @example const note = resource({ table: 'notes', $id: 'Note' }, { id: fixed(uuid), title: editable(text(200)) });
 */
export function resource<const Fields extends FieldMap>(
  { table, $id }: { readonly table: string; readonly $id?: string },
  fields: Fields & CheckedFields<Fields>,
): Resource<Fields> {
  const stored = listStoredFields(fields);
  const columns = createFragment(stored.map(({ name }) => writeName(name)).join(', '), []);
  const changes = stored.filter(isUpdated);
  const insertText = `(${columns.text}) values (${stored.map((_, index) => `$${index + 1}`).join(', ')})`;
  const updateText = changes.map(({ name }, index) => `${writeName(name)} = $${index + 1}`).join(', ');
  const replacement = changes
    .map(({ name }) => `${writeName(name)} = excluded.${writeName(name)}`)
    .join(', ');
  const created = stored.filter(({ setter }) => setter === 'editable' || setter === 'given');
  const changed = stored.filter(({ setter }) => setter === 'editable' || setter === 'changeable');
  const shown = Object.entries<StoredField | ComputedField>(fields).filter(([, each]) => !isHidden(each));
  // The types of the members follow from the fields; TypeScript cannot derive them from loops.
  return {
    table,
    fields,
    wire: closedObject(
      Object.fromEntries(shown.map(([name, { schema }]) => [name, schema])),
      $id === undefined ? {} : { $id },
    ),
    createInput: Object.fromEntries(created.map((each) => [each.name, buildCreateSchema(each)])),
    changeInput: Object.fromEntries(
      changed.map(({ name, schema, options }) => [name, Type.Optional(options.input ?? schema)]),
    ),
    changeableFields: changed.map(({ name }) => name),
    columns,
    insert: (row: RowValues) =>
      createFragment(
        insertText,
        stored.map((each) => toParameter(each, readOrDefault(each, row))),
      ),
    update: (row: RowValues) =>
      createFragment(
        updateText,
        changes.map((each) => toParameter(each, row[each.name])),
      ),
    replacement: createFragment(replacement, []),
    complete: (input: RowValues) =>
      Object.fromEntries(
        created.map(({ name, options }) => [name, input[name] === undefined ? options.default : input[name]]),
      ),
    toWire: buildConverter(shown),
  } as unknown as Resource<Fields>;
}

type RowValues = Readonly<Record<string, unknown>>;
type NamedField = StoredField & { readonly name: string };

function listStoredFields(fields: FieldMap): readonly NamedField[] {
  return Object.entries(fields).flatMap(([name, each]) => {
    if (each.setter === 'nobody') return [];
    checkStoredField(name, each);
    return [{ ...each, name }];
  });
}

/** A mistake that the types do not show ends the start of the service. */
function checkStoredField(name: string, { setter, schema, options }: StoredField): void {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`${name} is no name of a column.`);
  if ((schema as { format?: string }).format === 'date-time' && options.as !== 'time')
    throw new Error(`The field ${name} is a time: declare it with as: 'time'.`);
  if (setter === 'changeable' && options.default === undefined)
    throw new Error(`The field ${name} is not set at creation, so it needs a default.`);
}

/** A column may have the name of a keyword, such as `values`. */
function writeName(name: string): string {
  return `"${name}"`;
}

function isUpdated({ setter }: StoredField): boolean {
  return setter === 'editable' || setter === 'changeable' || setter === 'maintained';
}

function isHidden(each: StoredField | ComputedField): boolean {
  return 'options' in each && each.options.hidden === true;
}

function buildCreateSchema({ schema, options }: StoredField): TSchema {
  const sent = options.input ?? schema;
  if (options.default === undefined) return sent;
  const isShown = ['string', 'number', 'boolean'].includes(typeof options.default);
  return Type.Optional(isShown ? { ...sent, default: options.default } : sent);
}

function readOrDefault({ name, options }: NamedField, values: RowValues): unknown {
  const value = values[name];
  return value === undefined ? options.default : value;
}

function toParameter({ name, options }: NamedField, value: unknown): unknown {
  if (value === undefined) throw new Error(`The row has no value for the column ${name}.`);
  return options.as === 'json' && value !== null ? JSON.stringify(value) : value;
}

type Convert = (row: RowValues) => unknown;

function buildConverter(shown: readonly (readonly [string, StoredField | ComputedField])[]) {
  const conversions = shown.map(([name, each]) => [name, buildConversion(name, each)] as const);
  return (row: RowValues): RowValues => {
    const reply: Record<string, unknown> = {};
    for (const [name, convert] of conversions) reply[name] = convert(row);
    return reply;
  };
}

function buildConversion(name: string, each: StoredField | ComputedField): Convert {
  if (each.setter === 'nobody') return each.compute as Convert;
  if (each.options.as !== 'time') return (row) => row[name];
  return (row) => (row[name] as Date | null)?.toISOString() ?? null;
}
