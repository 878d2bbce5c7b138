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

function removeNulls(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
