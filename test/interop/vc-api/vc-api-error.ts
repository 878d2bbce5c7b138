/** An invalid request to the VC-API, or a failed verification. The status is 400. */
export class VcApiError extends Error {}

/** A JSON object whose fields are not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a value that must be an object. `name` is its name in the error. @throws VcApiError */
export function requireFields(value: unknown, name: string): Fields {
  if (!isFields(value)) throw new VcApiError(`${name} must be an object`);
  return value;
}
