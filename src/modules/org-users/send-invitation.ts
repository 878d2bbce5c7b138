import type { OrgRole } from '#lib/caller.ts';
import { task } from '#platform/queue/task.ts';
import { deriveInvitationToken } from './invitation-token.ts';
import { invitation_days, toPlainName, roleWords } from './rules.ts';
import { findMailing } from './store.ts';

/** Mails an invitation. Run twice it mails the same link twice, which does no harm; one that has ended is not mailed. */
export const sendInvitation = task<{ readonly invitation_id: string }>({
  name: 'orgUsers.sendInvitation',
  retry_seconds: [10, 60, 300, 900],
  run: async ({ database, mailer, secrets, config, now }, { invitation_id }) => {
    const mailing = await findMailing(database, invitation_id, now());
    if (!mailing) return;
    const token = deriveInvitationToken(secrets, invitation_id);
    await mailer.send({
      to: mailing.email,
      subject: 'You are invited to Tessera',
      text: formatInvitation(config.publicUrl, token, mailing),
    });
  },
});

type InvitationContent = { readonly organisation: string; readonly role: OrgRole };

function formatInvitation(
  publicUrl: string,
  token: string,
  { organisation, role }: InvitationContent,
): string {
  return `Hello,

an organisation that calls itself

    ${toPlainName(organisation)}

invites you to Tessera at ${new URL(publicUrl).host}, as ${roleWords[role]}. To accept, choose a password within ${invitation_days} days at

${publicUrl}/accept-invitation?token=${token}

or let your program send the token and a password to POST ${publicUrl}/api/v1/auth/accept-invitation:

${token}

It works once. If you do not know the organisation, ignore this mail: nobody can use your address without this link.
`;
}
