import type { TObject, TSchema } from 'typebox';
import type { ApiTexts } from '#platform/openapi/api-texts.ts';
import type { Schema } from '#platform/openapi/build-sample.ts';
import { writeOpenSchema, writeSchema } from '#platform/openapi/write-schema.ts';
import type { Operation } from '#platform/operation.ts';
import { closedObject, reason_keyword } from '#platform/schema.ts';
import { payment_argument, type ToolRow } from './tool-row.ts';

/** A tool as tools/list shows it. */
export type ListedTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema & { readonly type: 'object' };
  readonly outputSchema: Schema & { readonly type: 'object' };
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
};

/** Writes a tool for tools/list. Its schemas are those of its operation, in JSON Schema 2020-12, with the notes on fields. */
export function writeTool(row: ToolRow, texts: ApiTexts): ListedTool {
  const { name, title, kind, description, isDestructive, isIdempotent } = row.tool;
  const isRead = kind === 'read';
  return {
    name,
    title,
    description,
    inputSchema: writeInput(row, texts),
    outputSchema: writeOutput(row.operation, texts),
    annotations: {
      title,
      readOnlyHint: isRead,
      destructiveHint: isDestructive === true,
      idempotentHint: isRead || isIdempotent === true,
      openWorldHint: false,
    },
  };
}

/** Selects the input fields of an operation that are arguments of the tool. */
export function selectArguments({ operation, tool: { fixed = {} } }: ToolRow): TObject {
  const fields = Object.entries(operation.input.properties).filter(([name]) => !Object.hasOwn(fixed, name));
  return closedObject(Object.fromEntries(fields));
}

function writeInput(row: ToolRow, texts: ApiTexts): ListedTool['inputSchema'] {
  const written = writeComplete(selectArguments(row), texts, writeSchema);
  if (!row.operation.takes_payment) return written;
  const properties = { ...(written['properties'] as Schema), [payment_argument]: paymentSchema };
  return { ...written, properties };
}

/** The forms of a payment; `parsePaymentArgument` reads them. The service names every fault of a payment itself. */
const paymentSchema: Schema = {
  type: 'object',
  description:
    'The payment, if the free allowance is used up. Rails mock and transfer: {"tx_hash", "timestamp"}, where timestamp is the current time in Unix seconds. Rail balance: {"balance_key"}, a text of your choice that pays once from the prepaid balance. Rail x402: the payment payload of the x402 protocol. Leave it out to learn the price first. The same payment sent again returns the same result and costs nothing.',
  properties: {
    tx_hash: { type: 'string', description: 'The hash of the transaction that paid.' },
    timestamp: { type: 'integer', description: 'The current time in Unix seconds.' },
    balance_key: { type: 'string', description: 'A text that pays once, from the prepaid balance.' },
  },
  examples: [{ tx_hash: 'mock-7f3a', timestamp: 1_772_442_000 }],
};

/**
 * Several replies, such as a result and the task that is still computing it, are alternatives. They are open as in the document of the API: clients
 * compare a reply with the schema that they read earlier, and a later version may add a field.
 */
function writeOutput({ name, output }: Operation, texts: ApiTexts): ListedTool['outputSchema'] {
  // The operations of tools reply with JSON; `src/tables/tools.ts` is tested for it.
  const schemas = Object.values(output) as readonly (TSchema | null)[];
  const [only, ...others] = schemas.filter((each) => each !== null);
  if (only === undefined) throw new Error(`${name} has no reply that a tool could return`);
  return others.length === 0
    ? writeComplete(only, texts, writeOpenSchema)
    : writeAlternatives([only, ...others], texts);
}

function writeComplete(
  schema: TSchema,
  texts: ApiTexts,
  write: typeof writeSchema,
): Schema & { readonly type: 'object' } {
  const { $id: _name, ...body } = schema as Schema;
  const definitions: Record<string, Schema> = {};
  const written = write(body, { texts, schemas: definitions, responses: {}, examples: {} });
  return addDefinitions({ ...splitTypes(written), type: 'object' }, splitTypes(definitions));
}

function writeAlternatives(
  schemas: readonly TSchema[],
  texts: ApiTexts,
): Schema & { readonly type: 'object' } {
  const definitions: Record<string, Schema> = {};
  const components = { texts, schemas: definitions, responses: {}, examples: {} };
  const anyOf = schemas.map((each) => writeOpenSchema(each as Schema, components));
  return addDefinitions({ type: 'object', anyOf: anyOf.map(splitTypes) }, splitTypes(definitions));
}

/** A tool's schema is complete by itself, so the shapes that it refers to are part of it. */
function addDefinitions(
  schema: Schema & { readonly type: 'object' },
  definitions: Readonly<Record<string, Schema>>,
): Schema & { readonly type: 'object' } {
  if (Object.keys(definitions).length === 0) return schema;
  const whole = JSON.stringify({ ...schema, $defs: definitions });
  return JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')) as Schema & {
    readonly type: 'object';
  };
}

/**
 * Replaces a list of types by alternatives with one type each, and leaves annotations of our own out, because several hosts of agents refuse all tools
 * for one such list or an unknown keyword.
 */
function splitTypes<Written>(written: Written): Written {
  if (Array.isArray(written)) return written.map((each: unknown) => splitTypes(each)) as Written;
  if (typeof written !== 'object' || written === null) return written;
  const schema: Schema = Object.fromEntries(
    Object.entries(written)
      .filter(([keyword]) => keyword !== reason_keyword)
      .map(([keyword, value]: [string, unknown]) => [
        keyword,
        keyword === 'examples' || keyword === 'default' || keyword === 'enum' ? value : splitTypes(value),
      ]),
  );
  const { type, description, examples, default: fallback, ...constraints } = schema;
  if (!Array.isArray(type)) return schema as Written;
  const notes = { description, examples, default: fallback };
  const kept = Object.fromEntries(Object.entries(notes).filter(([, value]) => value !== undefined));
  return { ...kept, anyOf: type.map((each) => selectType(String(each), constraints)) } as Written;
}

/** Constraints of other types do not apply to null. The values of an enum go where they belong. */
function selectType(type: string, { enum: values, ...constraints }: Schema): Schema {
  if (type === 'null') return { type };
  const own = Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {};
  return { type, ...constraints, ...own };
}
