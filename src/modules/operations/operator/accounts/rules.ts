import { computeIdRange, isExternalId } from '#lib/external-id.ts';
import { readOutsideValue } from '#lib/outside-values.ts';
import { createFieldRefusal } from '#lib/refusal.ts';
import type { accountSearch } from '#modules/access/accounts';

/** What the operator searches for. Without any field, all accounts. */
export type UserSearch = {
  /** The beginning of an address or, for accounts without one, of an @ and the handle. */
  readonly email?: string | undefined;
  /** The beginning of a name. */
  readonly name?: string | undefined;
  /** The id of a user or of a member, or the external id of a member. */
  readonly identifier?: string | undefined;
  readonly org_id?: string | undefined;
  readonly suspended?: boolean | undefined;
};

/** @throws Refusal `field_invalid` for a name together with another field: each is searched in an order of its own. */
export function checkSearch(search: UserSearch): void {
  const others = (['email', 'identifier', 'org_id', 'suspended'] as const).filter(
    (field) => search[field] !== undefined,
  );
  if (search.name !== undefined && others.length > 0)
    throw createFieldRefusal('field_invalid', '/name', `must not be combined with ${others.join(', ')}`);
}

/** Reads the identifier of a search. */
export function parseIdentifier(id: string): accountSearch.IdRange {
  const upper = id.toUpperCase();
  if (!isExternalId('MBR', upper)) {
    const read = readOutsideValue('id', id);
    return { first: read, last: read };
  }
  const [first, last] = computeIdRange(upper);
  return { first, last };
}

export const accountStatuses = ['active', 'suspended', 'pending_deletion'] as const;

/** A member who asked to be erased cannot log in either, but has not been suspended. */
export function judgeStatus(
  { suspended_at }: { readonly suspended_at: Date | null },
  member: { readonly account_status: (typeof accountStatuses)[number] } | undefined,
): (typeof accountStatuses)[number] {
  return member?.account_status ?? (suspended_at === null ? 'active' : 'suspended');
}
