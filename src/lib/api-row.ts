import type { Role } from './caller.ts';

/** A row of the API as a permission names it. */
export type ApiRow = {
  /** The method and the path: `GET /auth/me`. */
  readonly name: string;
  readonly path: string;
  /** The name of the operation, by which the client calls it: `accounts.readMe`. */
  readonly operation: string;
  /** The roles that may call it; empty if anyone may. */
  readonly roles: readonly Role[];
  /** Whether it needs the proof of a person's presence, such as a recent authentication. */
  readonly needs_person: boolean;
};
