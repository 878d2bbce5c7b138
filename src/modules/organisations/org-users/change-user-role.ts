import { Type } from 'typebox';
import { orgRoles, type OrgRole } from '#lib/caller.ts';
import { requireFound } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import {
  changeOrgUser,
  clearedRefreshCookie,
  queueAdministratorNotices,
  queueNotice,
} from '#modules/access/accounts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { lockOwnOrganisation } from './lock-own-organisation.ts';
import { requireOtherAdmin } from './remove-org-user.ts';
import { findListedUser, endInvitationsOfInviter } from './store.ts';
import { orgUserWire, toWire } from './wire.ts';

export const changeUserRole = operation({
  name: 'orgUsers.changeUserRole',
  summary:
    'Gives a user of the organisation another role, for example to hand over the administration before leaving. The user must log in again.',
  who: ['org_admin'],
  input: Type.Object({
    user_id: uuid,
    role: field(Type.Enum(orgRoles), 'What the user may do.', 'org_viewer'),
  }),
  output: { 200: orgUserWire },
  refuses: ['user_not_found', 'organisation_not_found', 'last_admin'],
  cookies: { sets: ['refresh_token'] },
  run: async (context, { user_id: id, role }) => {
    const { user, changed } = await context.transaction((tx) => setRole(context, tx, id, role));
    const signs_out_caller = changed && id === context.caller.user_id;
    return reply(200, toWire(user), signs_out_caller ? [clearedRefreshCookie] : []);
  },
});

async function setRole(context: Context<'org_admin'>, tx: Transaction, id: string, role: OrgRole) {
  const { org_id } = context.caller;
  await lockOwnOrganisation(tx, context.caller);
  const user = requireFound(await findListedUser(tx, { id, org_id }), 'user_not_found');
  if (user.role === role) return { user, changed: false };
  await requireOtherAdmin(tx, org_id, user);
  if (role === 'org_admin') await queueAdministratorNotices(context, tx, org_id, 'administrator_added');
  await changeOrgUser(context, tx, { user_id: id, role });
  // An open invitation may be to a second address of the same person, as with a removed administrator.
  const cancelled = { org_id, invited_by: id, now: context.now() };
  const invitations_cancelled = user.role === 'org_admin' ? await endInvitationsOfInviter(tx, cancelled) : 0;
  const detail = { user_id: id, role_before: user.role, role, invitations_cancelled };
  await recordCallerAudit(context, tx, { action: 'orgs.user_role_changed', org_id, detail });
  await queueNotice(context, tx, id, 'role_changed');
  return { user: { ...user, role }, changed: true };
}
