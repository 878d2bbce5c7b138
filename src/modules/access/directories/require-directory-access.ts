import { lockOwnOrganisation } from '#modules/organisations/org-users';
import { requireSsoAccess } from '#modules/access/sso';
import type { Reader, Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';

type Caller = Context<'org_admin'>['caller'];

/**
 * Checks that the tier of the caller's organisation includes single sign-on, by which the users of a directory log in.
 *
 * @throws Refusal `organisation_not_found`, `organisation_tier_too_low`.
 */
export async function requireDirectoryAccess(db: Reader, caller: Caller): Promise<void> {
  await requireSsoAccess(db, caller, caller.org_id);
}

/**
 * Locks the caller's organisation against other changes of its users.
 *
 * @throws Refusal `organisation_not_found`, `organisation_tier_too_low`, `token_invalid`.
 */
export async function lockDirectory(tx: Transaction, caller: Caller): Promise<void> {
  await lockOwnOrganisation(tx, caller);
  await requireDirectoryAccess(tx, caller);
}
