import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { emailInput, runLimitedMail, toCanonicalEmail } from '#modules/access/accounts';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { requireVolunteers } from './load-volunteer.ts';
import { sealVolunteerLink } from './sealed-links.ts';
import { sendVolunteerMail } from './send-volunteer-mail.ts';
import { findVolunteer } from './store.ts';
import { hashCode } from './volunteer-code.ts';
import { codeInput } from './volunteer-reply.ts';

export const requestRetest = operation({
  name: 'traits.requestRetest',
  title: 'Ask for an invitation to a second test',
  summary:
    'Emails a link that confirms the address. Only then is it stored, encrypted, for one invitation to a second test four weeks later, and deleted when that is sent.',
  who: 'anyone',
  input: closedObject({ code: codeInput, email: emailInput }),
  output: { 200: closedObject({ message: Type.String() }) },
  refuses: ['route_not_found', 'volunteer_not_found', 'too_many_requests'],
  run: async (context, { code, email }) => {
    requireVolunteers(context);
    const volunteer = await findVolunteer(context.database, hashCode(context, code));
    // Only a complete first test has a second one.
    if (!volunteer || volunteer.completed_at === null || volunteer.first_id !== null)
      throw new Refusal('volunteer_not_found');
    const link_sealed = sealVolunteerLink(context, {
      kind: 'confirmation',
      id: volunteer.id,
      email: toCanonicalEmail(email),
      made_ms: context.now().getTime(),
    });
    return runLimitedMail(context, email, 'others', () =>
      context.transaction(async (tx) => {
        await context.queue.send(tx, sendVolunteerMail, { link_sealed });
        return { message: 'A link that confirms this address is emailed to it.' };
      }),
    );
  },
});
