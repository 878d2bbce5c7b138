import { Type } from 'typebox';
import { orgRoles, requireRecentAuthentication, type OrgRole } from '#lib/caller.ts';
import { Refusal, requireFound } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { clearedRefreshCookie } from '#modules/access/accounts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { lockOwnOrganisation } from './lock-own-organisation.ts';
import { removeOrgUser } from './remove-org-user.ts';
import { findOrgUser, lockInvitation, endInvitation } from './store.ts';

export const removeUser = operation({
  name: 'orgUsers.removeUser',
  summary:
    'Removes a user from the organisation, or cancels an invitation. A removed user is logged out at once, and the account’s data is deleted. Users who are not administrators may only remove themselves.',
  who: orgRoles,
  input: Type.Object({ user_id: uuid }),
  output: { 204: null },
  refuses: ['user_not_found', 'organisation_not_found', 'last_admin', 'recent_authentication_required'],
  cookies: { sets: ['refresh_token'] },
  run: async (context, { user_id: id }) => {
    const outcome = await context.transaction(async (tx) => {
      await lockOwnOrganisation(tx, context.caller);
      // For every other id alike, so that a user who may not see the list learns nothing about it.
      if (context.caller.role !== 'org_admin' && id !== context.caller.user_id)
        throw new Refusal('user_not_found');
      return (await cancelInvitation(context, tx, id)) ?? removeFromOrganisation(context, tx, id);
    });
    if (outcome === 'cancelled') return null;
    return reply(204, null, id === context.caller.user_id ? [clearedRefreshCookie] : []);
  },
});

async function cancelInvitation(context: Context<OrgRole>, tx: Transaction, id: string) {
  const { caller, now } = context;
  const { org_id } = caller;
  const invitation = await lockInvitation(tx, { id, org_id, now: now() });
  if (!invitation) return undefined;
  await endInvitation(tx, id, now());
  const detail = { invitation_id: id, role: invitation.role };
  await recordCallerAudit(context, tx, { action: 'invitations.cancelled', org_id, detail });
  return 'cancelled' as const;
}

async function removeFromOrganisation(context: Context<OrgRole>, tx: Transaction, id: string) {
  const { caller, now } = context;
  const user = requireFound(await findOrgUser(tx, { id, org_id: caller.org_id }), 'user_not_found');
  requireRecentAuthentication(caller, now());
  await removeOrgUser(context, tx, user);
  return 'removed' as const;
}
