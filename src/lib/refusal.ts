import { refusals, type RefusalCode } from './refusals.ts';

/** One invalid field: an RFC 6901 JSON pointer into the request, and a reason that completes "The field …". */
export type FieldError = { readonly pointer: string; readonly reason: string };

/** Additions to a refusal: a detail for people, the invalid fields, response headers such as Retry-After, and what a read costs. */
export type RefusalExtras = {
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields of the problem besides the usual ones, such as the terms of a payment. */
  readonly fields?: Readonly<Record<string, unknown>>;
};

/** An expected "no". Operations and the platform throw it, and the HTTP server sends it as `application/problem+json`. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly extras: RefusalExtras;

  constructor(code: RefusalCode, extras: RefusalExtras = {}) {
    super(extras.detail ?? refusals[code][1]);
    this.name = 'Refusal';
    this.code = code;
    this.extras = extras;
  }

  get status(): number {
    return refusals[this.code][0];
  }
}

/** Creates a refusal that names one field: `createFieldRefusal('field_invalid', '/salary_max', 'must not be below salary_min')`. */
export function createFieldRefusal(code: RefusalCode, pointer: string, reason: string): Refusal {
  return new Refusal(code, { detail: `${pointer}: ${reason}`, errors: [{ pointer, reason }] });
}

/** Creates a refusal that names no single field: `createBodyRefusal('needs either password or passkey')`. */
export function createBodyRefusal(reason: string): Refusal {
  return new Refusal('field_invalid', { detail: `The body ${reason}.`, errors: [{ pointer: '', reason }] });
}

/** Returns what was found. @throws Refusal with this code if nothing was. */
export function requireFound<Value extends object>(found: Value | undefined, code: RefusalCode): Value {
  if (!found) throw new Refusal(code);
  return found;
}
