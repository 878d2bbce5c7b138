import { Refusal } from '#lib/refusal.ts';
import { lockOrganisation } from '#modules/orgs';
import type { Transaction } from '#platform/database/database.ts';
import { findOrgUser } from './store.ts';

/**
 * Holds the caller's organisation against other changes of its people, and makes sure that the caller is still one of them: a token lives a
 * moment longer on other nodes than its user.
 *
 * @throws Refusal `token_invalid`, `organisation_not_found`.
 */
export async function lockOwnOrganisation(
  tx: Transaction,
  { org_id, user_id }: { readonly org_id: string; readonly user_id: string },
): Promise<void> {
  if (!(await lockOrganisation(tx, org_id))) throw new Refusal('organisation_not_found');
  const self = await findOrgUser(tx, { id: user_id, org_id });
  if (!self) throw new Refusal('token_invalid', { detail: 'The account of this token is gone.' });
}
