import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { deleteVolunteerTests, lockVolunteer } from './store.ts';
import { hashCode } from './volunteer-code.ts';
import { codeInput } from './volunteer-reply.ts';

export const deleteVolunteer = operation({
  name: 'traits.deleteVolunteer',
  title: 'Delete answers for science',
  summary:
    'Deletes the answers of a test at once, with those of the other test of the same person, and the address that waits for an invitation. Parameters that were estimated with them stay as they are; they say nothing about one person.',
  who: 'anyone',
  input: closedObject({ code: codeInput }),
  output: { 204: null },
  refuses: ['volunteer_not_found'],
  run: (context, { code }) =>
    context.transaction(async (tx) => {
      const volunteer = await lockVolunteer(tx, hashCode(context, code));
      if (!volunteer) throw new Refusal('volunteer_not_found');
      await deleteVolunteerTests(tx, volunteer);
      return null;
    }),
});
