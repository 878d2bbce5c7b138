import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { computeInvitationTime } from './rules.ts';
import { link_characters_max, openValidLink, openVolunteerLink, sealAddress } from './sealed-links.ts';
import { lockCompleteVolunteer, updateInvitation } from './store.ts';

export const setRetest = operation({
  name: 'traits.setRetest',
  title: 'Confirm or end an invitation to a second test',
  summary:
    'Confirms the address of the link, so that it gets one invitation to a second test four weeks later; or deletes the address. Confirming works for a day, deleting always.',
  who: 'anyone',
  input: closedObject({
    token: field(
      Type.String({ minLength: 1, maxLength: link_characters_max }),
      'The token of the link in the email.',
      'q83vASNFZ4mrze8BI0VniavN7wEjRWeJ',
    ),
    is_wanted: field(Type.Boolean(), 'Whether the invitation is wanted.', true),
  }),
  output: { 204: null },
  refuses: ['volunteer_link_invalid'],
  run: (context, { token, is_wanted }) => {
    // Only a new link may store an address. A closed service sends no invitations.
    const open = is_wanted ? openValidLink : openVolunteerLink;
    const link = open(context, 'confirmation', token);
    if (!link || (is_wanted && !context.config.volunteers)) throw new Refusal('volunteer_link_invalid');
    const { id, email } = link;
    return context.transaction(async (tx) => {
      const exists = await lockCompleteVolunteer(tx, id);
      if (!exists && is_wanted) throw new Refusal('volunteer_link_invalid');
      const invitation = {
        email_sealed: sealAddress(context, email),
        invite_at: computeInvitationTime(context.now()),
      };
      await updateInvitation(tx, id, is_wanted ? invitation : null);
      return null;
    });
  },
});
