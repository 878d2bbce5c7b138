import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { hashToken } from '#platform/security/hash-token.ts';
import { orgRoles, type OrgRole } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import {
  emailInput,
  findAccount,
  isAddressOwner,
  queueAdministratorNotices,
  runLimitedMail,
} from '#modules/access/accounts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { checkSender } from './check-sender.ts';
import { deriveInvitationToken, checkMailLimit, sendInvitation } from './send-invitation.ts';
import { lockOwnOrganisation } from './lock-own-organisation.ts';
import { computeExpiry, users_max } from './rules.ts';
import { countOrgUsers, findOpenInvitation, insertInvitation, endExpiredInvitations } from './store.ts';
import { orgUserWire, toWire } from './wire.ts';

export const inviteUser = operation({
  name: 'orgUsers.inviteUser',
  summary:
    'Invites a new user to the organisation in a role, by an email with a link that works once and for seven days.',
  who: ['org_admin'],
  input: Type.Object({
    email: emailInput,
    role: field(Type.Enum(orgRoles), 'What the user may do.', 'org_viewer'),
  }),
  output: { 201: orgUserWire },
  refuses: [
    'email_not_verified',
    'organisation_name_taken',
    'email_taken',
    'invitation_exists',
    'organisation_full',
    'organisation_not_found',
    'too_many_requests',
  ],
  idempotent: true,
  run: (context, { email, role }) =>
    runLimitedMail(context, email, 'others', () =>
      context.transaction(async (tx) => {
        const { org_id } = context.caller;
        const now = context.now();
        await checkSender(context, tx, await lockOwnOrganisation(tx, context.caller));
        await checkInvitable(tx, { email, org_id, now });
        const invitation = await createInvitation(context, tx, { email, role });
        return toWire({ ...invitation, display_name: null, status: 'invited', last_login: null });
      }),
    ),
});

type InvitationTarget = { readonly email: string; readonly org_id: string; readonly now: Date };

async function checkInvitable(tx: Transaction, { email, org_id, now }: InvitationTarget): Promise<void> {
  await endExpiredInvitations(tx, org_id, now);
  const account = await findAccount(tx, email);
  // The mailbox is proven when the invitation is accepted. A colleague is no stranger, whose account could be displaced then.
  if (account && (isAddressOwner(account) || account.linked_entity_id === org_id))
    throw new Refusal('email_taken');
  if (await findOpenInvitation(tx, { org_id, email })) throw new Refusal('invitation_exists');
  if ((await countOrgUsers(tx, { org_id, now })) >= users_max) throw new Refusal('organisation_full');
  await checkMailLimit(tx, org_id, now);
}

async function createInvitation(
  context: Context<'org_admin'>,
  tx: Transaction,
  { email, role }: { readonly email: string; readonly role: OrgRole },
) {
  const { caller, now, queue, secrets } = context;
  const { org_id, user_id } = caller;
  const created_at = now();
  const id = randomUUID();
  const invitation = {
    id,
    org_id,
    email,
    role,
    created_at,
    sent_at: created_at,
    expires_at: computeExpiry(created_at),
  };
  const token_hash = hashToken(deriveInvitationToken(secrets, id));
  await insertInvitation(tx, { ...invitation, invited_by: user_id, token_hash });
  await queue.send(tx, sendInvitation, { invitation_id: id, org_id });
  const detail = { invitation_id: id, role };
  await recordCallerAudit(context, tx, { action: 'invitations.sent', org_id, detail });
  if (role === 'org_admin') await queueAdministratorNotices(context, tx, org_id, 'administrator_added');
  return invitation;
}
