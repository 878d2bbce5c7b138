import { buildVolunteerMail, mailTask, sendMail } from '#modules/operations/mail';
import { task } from '#platform/queue/task.ts';
import { confirmation_hours, invitation_days } from './rules.ts';
import { openVolunteerLink } from './sealed-links.ts';
import { isKept } from './store.ts';

/** Emails a volunteer the link that confirms the address, or the invitation to the second test. The address is encrypted in the data of the task. */
export const sendVolunteerMail = task<{ readonly link_sealed: string }>({
  name: 'traits.sendVolunteerMail',
  ...mailTask,
  run: async (context, { link_sealed }) => {
    const link =
      openVolunteerLink(context, 'confirmation', link_sealed) ??
      openVolunteerLink(context, 'invitation', link_sealed);
    // The answers may have been deleted while the email waited.
    if (!link || !(await isKept(context.database, link.id))) return;
    const text = buildVolunteerMail(context.config.publicUrl, link_sealed, {
      kind: link.kind,
      hours: confirmation_hours,
      days: invitation_days,
    });
    await sendMail(context, { email: link.email, name: undefined }, text);
  },
});
