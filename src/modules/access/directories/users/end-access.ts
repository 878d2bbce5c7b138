import { Refusal } from '#lib/refusal.ts';
import { revokeUserGrants } from '#modules/access/agents';
import { revokeKeysOfUser } from '#modules/access/service-keys';
import { requireOtherAdmin } from '#modules/organisations/org-users';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import type { DirectoryUser } from '../rules.ts';

/**
 * Ends what acts for a user besides the sessions, which end with the account: the permissions of agents, and service keys. None comes back when the user does.
 *
 * @throws Refusal `last_admin`, `directory_key_owner`: nobody would notice that the directory has locked itself out.
 */
export async function endAccess(
  context: Context<'org_admin'>,
  tx: Transaction,
  user: Pick<DirectoryUser, 'id' | 'role'>,
): Promise<void> {
  const { caller } = context;
  const { org_id } = caller;
  await requireOtherAdmin(tx, org_id, user);
  if (user.id === caller.user_id) throw new Refusal('directory_key_owner');
  await revokeUserGrants(context, tx, { user_id: user.id, member_id: null, org_id }, caller);
  await revokeKeysOfUser(context, tx, { org_id, user_id: user.id }, caller);
}
