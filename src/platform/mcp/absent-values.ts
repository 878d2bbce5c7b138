import type { TObject } from 'typebox';

/**
 * Removes what a message says to be null where the protocol has it present or absent: parameters, arguments, metadata and a cursor. Libraries write null for a
 * value that is not set.
 */
export function removeAbsentMembers(message: unknown): unknown {
  if (!isObject(message)) return message;
  const { params, ...others } = message;
  if (params === null) return others;
  return isObject(params) ? { ...message, params: removeNulls(params) } : message;
}

/**
 * Removes arguments that are null and need not be given. Models name every argument of a tool, and several hosts make them do so. An
 * argument for which null has a meaning keeps it.
 */
export function removeAbsentArguments(schema: TObject, given: unknown): unknown {
  if (!isObject(given)) return given;
  const entries = Object.entries(given).filter(
    ([name, value]) => value !== null || !mayBeAbsent(schema, name),
  );
  return Object.fromEntries(entries);
}

/** Whether a field may be missing, by itself or for its default, and has a type of its own, which is not null. */
function mayBeAbsent({ properties, required }: TObject, name: string): boolean {
  if (!Object.hasOwn(properties, name)) return false;
  const field = properties[name] as {
    readonly type?: unknown;
    readonly enum?: readonly unknown[];
    readonly default?: unknown;
  };
  const isRequired = (required as readonly string[] | undefined)?.includes(name) === true;
  if (isRequired && field.default === undefined) return false;
  return field.enum === undefined ? typeof field.type === 'string' : !field.enum.includes(null);
}

function removeNulls(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
