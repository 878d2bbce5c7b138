import { buildCandidateInvitation, mailTask, sendMail } from '#modules/operations/mail';
import { findShownDomain, findShownName, isSuspendedOrganisation } from '#modules/organisations/orgs';
import { findJob } from '#modules/matching/jobs';
import { task } from '#platform/queue/task.ts';
import { deriveToken, openAddress } from '../addresses.ts';
import { computeStatus, invitation_days } from '../rules.ts';
import { findInvitation } from '../store.ts';

/** Sends the email of an invitation that can still be answered. A second run sends the same link again, which does no harm. */
export const sendCandidateInvitation = task<{ readonly invitation_id: string; readonly org_id: string }>({
  name: 'candidates.sendCandidateInvitation',
  ...mailTask,
  group_by: ({ org_id }) => org_id,
  run: async (context, { invitation_id, org_id }) => {
    const { database, config, now } = context;
    const invitation = await findInvitation(database, invitation_id);
    if (!invitation || computeStatus(invitation, now()) !== 'sent') return;
    if (await isSuspendedOrganisation(database, org_id)) return;
    const [job, organisation, domain] = await Promise.all([
      findJob(database, invitation.job_id),
      findShownName(database, org_id),
      findShownDomain(context, database, org_id),
    ]);
    const email = openAddress(context, invitation.email_sealed);
    if (job?.status !== 'active' || organisation === undefined || email === null) return;
    const facts = { organisation, domain, job_title: job.title, days: invitation_days };
    const token = deriveToken(context, invitation_id);
    // The organisation gives an address only.
    await sendMail(
      context,
      { email, name: undefined },
      buildCandidateInvitation(config.publicUrl, token, facts),
    );
  },
});
