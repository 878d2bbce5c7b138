import { Type } from 'typebox';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import type { Invitation } from '../rules.ts';
import { countInvitations, listInvitations, type InvitationPlace } from '../store.ts';
import { invitationStatus, receivedInvitationWire } from '../wire.ts';
import { findProvenAddress } from './find-proven-address.ts';
import { readInvitation } from './read-invitation.ts';

export const listMemberInvitations = operation({
  name: 'candidates.listMemberInvitations',
  title: 'List invitations to jobs',
  summary:
    'Lists the invitations to jobs that the member has accepted, and those to the email address that the member has proven, newest first. No organisation learns that they were read.',
  who: ['member'],
  input: Type.Object({
    status: Type.Optional({ ...invitationStatus, description: 'Only invitations with this status.' }),
    ...pageQuery,
  }),
  output: { 200: buildPageSchema(receivedInvitationWire) },
  refuses: ['cursor_invalid'],
  run: async (context, { status, limit, cursor }) => {
    const { database, caller } = context;
    const { member_id } = caller;
    const now = context.now();
    const email_hash = await findProvenAddress(context, database, caller);
    const filter = { owner: { member_id, email_hash }, status };
    const { data, pagination } = await readPage(
      context,
      { name: 'candidates.listMemberInvitations', filter: { member_id, status }, limit, cursor },
      {
        list: (after: InvitationPlace | undefined, rows_max) =>
          listInvitations(database, filter, now, after, rows_max),
        count: () => countInvitations(database, filter, now),
        getPlace: ({ created_at, id }): InvitationPlace => [created_at.toISOString(), id],
        toItem: (invitation: Invitation) => invitation,
      },
    );
    const received = await Promise.all(data.map((each) => readInvitation(context, database, each)));
    return { data: received.filter((each) => each !== undefined), pagination };
  },
});
