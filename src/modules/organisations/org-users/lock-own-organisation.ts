import type { OrgRole } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { lockOrganisation, type Organisation } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import { findOrgUser } from './store.ts';

/**
 * Locks the caller's organisation against other changes of its users, and checks that the caller is still one of them, in the same role: other
 * nodes accept the token of a user who was removed or got another role for a moment longer.
 *
 * @returns the organisation.
 * @throws Refusal `token_invalid`, `organisation_not_found`.
 */
export async function lockOwnOrganisation(
  tx: Transaction,
  { org_id, user_id, role }: { readonly org_id: string; readonly user_id: string; readonly role: OrgRole },
): Promise<Organisation> {
  const organisation = await lockOrganisation(tx, org_id);
  if (!organisation) throw new Refusal('organisation_not_found');
  const callingUser = await findOrgUser(tx, { id: user_id, org_id });
  if (!callingUser)
    throw new Refusal('token_invalid', { detail: 'The account of this token no longer exists.' });
  if (callingUser.role !== role)
    throw new Refusal('token_invalid', { detail: 'Your role was changed. Log in again.' });
  return organisation;
}
