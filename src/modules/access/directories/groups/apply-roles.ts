import { Refusal } from '#lib/refusal.ts';
import { changeOrgUser, queueAdministratorNotices, queueNotice } from '#modules/access/accounts';
import { recordCallerAudit } from '#modules/operations/audit';
import { requireOtherAdmin } from '#modules/organisations/org-users';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { decideRole, role_changes_max } from './rules.ts';
import { listGivenRoles } from './store.ts';

/**
 * Makes a change of groups, and gives each of the users the highest role of their groups then. The caller holds the organisation's lock. Nobody gets or loses a role whom
 * no group with a role concerns.
 *
 * @throws Refusal `last_admin`, `directory_key_owner`, `directory_group_full` if the roles of too many users would change at once.
 */
export async function changeWithRoles(
  context: Context<'org_admin'>,
  tx: Transaction,
  user_ids: readonly string[],
  change: () => Promise<void>,
): Promise<void> {
  const { org_id } = context.caller;
  const before = new Map((await listGivenRoles(tx, org_id, user_ids)).map((each) => [each.id, each.given]));
  await change();
  const changes = (await listGivenRoles(tx, org_id, user_ids)).flatMap(({ id, role, given }) => {
    const next = decideRole({ role, before: before.get(id) ?? [], after: given });
    return next === undefined ? [] : [{ user: { id, role }, next }];
  });
  if (changes.length > role_changes_max)
    throw new Refusal('directory_group_full', {
      detail: `The roles of ${changes.length} users would change. At most ${role_changes_max} change at once.`,
    });
  // Those who become administrators come first, so that the last one can hand over.
  for (const { user, next } of changes.toSorted((one, other) => rank(one.next) - rank(other.next)))
    await changeRole(context, tx, user, next);
}

const rank = (role: string) => (role === 'org_admin' ? 0 : 1);

type Changed = Parameters<typeof requireOtherAdmin>[2];

async function changeRole(
  context: Context<'org_admin'>,
  tx: Transaction,
  user: Changed,
  role: Changed['role'],
): Promise<void> {
  const { org_id, user_id, service_key } = context.caller;
  await requireOtherAdmin(tx, org_id, user);
  if (service_key && user.id === user_id) throw new Refusal('directory_key_owner');
  if (role === 'org_admin') await queueAdministratorNotices(context, tx, org_id, 'administrator_added');
  await changeOrgUser(context, tx, { user_id: user.id, role });
  const detail = { user_id: user.id, role_before: user.role, role };
  await recordCallerAudit(context, tx, { action: 'directories.role_changed', org_id, detail });
  await queueNotice(context, tx, user.id, 'role_changed');
}
