/** What a caller of the VC-API got wrong, or what does not verify; status 400. */
export class VcApiError extends Error {}

/** A value of JSON whose fields are still to be looked at. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object that a body must have under a name. @throws VcApiError */
export function requireFields(value: unknown, name: string): Fields {
  if (!isFields(value)) throw new VcApiError(`${name} must be an object`);
  return value;
}
