import { buildInvitation, mailTask, sendMail } from '#modules/operations/mail';
import { findShownDomain, isSuspendedOrganisation } from '#modules/organisations/orgs';
import { task } from '#platform/queue/task.ts';
import { invitation_days, roleWords, computeDayBefore, computeOrganisationWaitSeconds } from './rules.ts';
import { findMailing, countMails } from './store.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Secrets } from '#platform/security/secrets.ts';

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
    const domain = await findShownDomain({ config }, database, org_id);
    const facts = { organisation, domain, role: roleWords[role], days: invitation_days };
    // The inviting user gives an address only.
    await sendMail(context, { email, name: undefined }, buildInvitation(config.publicUrl, token, facts));
  },
});

/** Checks that the organisation may send another invitation now. The caller must hold its lock. @throws Refusal `too_many_requests`. */
export async function checkMailLimit(tx: Transaction, org_id: string, now: Date): Promise<void> {
  const wait_s = computeOrganisationWaitSeconds(await countMails(tx, org_id, computeDayBefore(now)), now);
  if (wait_s > 0) throw createTooManyMailsRefusal(wait_s);
}

/** The refusal of an email that may be sent later. */
export function createTooManyMailsRefusal(wait_s: number): Refusal {
  return new Refusal('too_many_requests', {
    detail: 'Too many invitations were sent. Try again after the seconds in Retry-After.',
    headers: { 'retry-after': String(wait_s) },
  });
}

/** Derives the token from the invitation's id and the master key, so that neither the database nor the queue contains it. */
export function deriveInvitationToken(secrets: Secrets, invitation_id: string): string {
  return secrets.computeHmac('invitation', invitation_id).toString('base64url');
}
