import { buildInvitation, mailTask, sendMail } from '#modules/operations/mail';
import { isSuspendedOrganisation } from '#modules/organisations/orgs';
import { task } from '#platform/queue/task.ts';
import { deriveInvitationToken } from './invitation-token.ts';
import { invitation_days, roleWords } from './rules.ts';
import { findMailing } from './store.ts';

/** Sends the email of an invitation that is still open. A second run sends the same link again, which does no harm. */
export const sendInvitation = task<{ readonly invitation_id: string; readonly org_id: string }>({
  name: 'orgUsers.sendInvitation',
  ...mailTask,
  group_by: ({ org_id }) => org_id,
  run: async (context, { invitation_id, org_id }) => {
    const { database, secrets, config, now } = context;
    const mailing = await findMailing(database, invitation_id, now());
    // After the suspension, an administrator can send it again.
    if (!mailing || (await isSuspendedOrganisation(database, org_id))) return;
    const token = deriveInvitationToken(secrets, invitation_id);
    const { email, organisation, role } = mailing;
    const facts = { organisation, role: roleWords[role], days: invitation_days };
    // The inviting user gives an address only.
    await sendMail(context, { email, name: undefined }, buildInvitation(config.publicUrl, token, facts));
  },
});
