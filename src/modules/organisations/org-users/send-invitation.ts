import type { OrgRole } from '#lib/caller.ts';
import { isSuspendedOrganisation } from '#modules/organisations/orgs';
import { parallel_mails } from '#platform/mail.ts';
import { renderMail } from '#platform/mail-template.ts';
import { task } from '#platform/queue/task.ts';
import { deriveInvitationToken } from './invitation-token.ts';
import { invitation_days, roleWords } from './rules.ts';
import { findMailing } from './store.ts';

/** Sends the email of an invitation that is still open. A second run sends the same link again, which does no harm. */
export const sendInvitation = task<{ readonly invitation_id: string; readonly org_id: string }>({
  name: 'orgUsers.sendInvitation',
  retry_seconds: [10, 60, 300, 900],
  parallel: parallel_mails,
  group_by: ({ org_id }) => org_id,
  run: async ({ database, mailer, secrets, config, now }, { invitation_id, org_id }) => {
    const mailing = await findMailing(database, invitation_id, now());
    // After the suspension, an administrator can send it again.
    if (!mailing || (await isSuspendedOrganisation(database, org_id))) return;
    const token = deriveInvitationToken(secrets, invitation_id);
    await mailer.send({ to: mailing.email, ...buildInvitation(config.publicUrl, token, mailing) });
  },
});

type InvitationContent = { readonly organisation: string; readonly role: OrgRole };

function buildInvitation(publicUrl: string, token: string, { organisation, role }: InvitationContent) {
  return renderMail({
    subject: 'You are invited to Tessera',
    // The inviting user gives an address only.
    name: undefined,
    publicUrl,
    parts: [
      'An organisation with the name',
      { words: organisation },
      `invites you to join it on Tessera at ${new URL(publicUrl).host}, as ${roleWords[role]}. To accept, choose a password within ${invitation_days} days:`,
      { link: `${publicUrl}/accept-invitation?token=${token}`, label: 'Accept the invitation' },
      'The link works once. If an account was registered with this address and never verified it, accepting closes that account, and its data is erased.',
      'If you do not know this organisation, ignore this email. Your address cannot be used without the link.',
      {
        program: `A program can accept instead by sending this token and a password to POST ${publicUrl}/api/v1/auth/accept-invitation:`,
        token,
      },
    ],
  });
}
