import type { OrgRole } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { queueNotice, removeAccount } from '#modules/access/accounts';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { countOtherAdmins, endInvitationsOfInviter } from './store.ts';

/**
 * Checks that an organisation keeps an administrator without this user. The caller must hold the organisation's lock.
 *
 * @throws Refusal `last_admin`.
 */
export async function requireOtherAdmin(
  tx: Transaction,
  org_id: string,
  { id, role }: { readonly id: string; readonly role: OrgRole },
): Promise<void> {
  if (role === 'org_admin' && (await countOtherAdmins(tx, { org_id, except: id })) === 0)
    throw new Refusal('last_admin');
}

/**
 * Removes a user of the caller's organisation, whose lock the caller holds. Also cancels the invitations that a removed administrator sent: one may be to a second
 * address of the same person.
 *
 * @throws Refusal `last_admin`.
 */
export async function removeOrgUser(
  context: Context<OrgRole>,
  tx: Transaction,
  user: { readonly id: string; readonly role: OrgRole },
): Promise<void> {
  const { org_id } = context.caller;
  await requireOtherAdmin(tx, org_id, user);
  await queueNotice(context, tx, user.id, 'account_removed');
  await removeAccount(context, tx, user.id);
  const ended = { org_id, invited_by: user.id, now: context.now() };
  const invitations_cancelled = await endInvitationsOfInviter(tx, ended);
  const detail = { user_id: user.id, role: user.role, invitations_cancelled };
  await recordCallerAudit(context, tx, { action: 'invitations.user_removed', org_id, detail });
}
