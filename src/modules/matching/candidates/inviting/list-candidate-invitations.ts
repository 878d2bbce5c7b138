import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { findOrganisationJob, referenceText } from '#modules/matching/jobs';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { field, timestamp, uuid } from '#platform/schema.ts';
import { countInvitations, listInvitations, type InvitationPlace } from '../store.ts';
import { invitationStatus, invitationWire } from '../wire.ts';
import { toInvitationWire } from '../to-invitation-wire.ts';

export const listCandidateInvitations = operation({
  name: 'candidates.listCandidateInvitations',
  title: 'List the invitations to a job',
  summary: 'Lists the invitations to a job of the organisation, newest first, and what became of them.',
  who: orgRoles,
  input: Type.Object({
    job_id: uuid,
    status: Type.Optional({ ...invitationStatus, description: 'Only invitations with this status.' }),
    external_ref: Type.Optional(referenceText),
    updated_since: Type.Optional(
      field(
        timestamp,
        'Only invitations that were made or have changed at this time or later.',
        '2026-03-01T00:00:00Z',
      ),
    ),
    ...pageQuery,
  }),
  output: { 200: buildPageSchema(invitationWire) },
  refuses: ['cursor_invalid', 'job_not_found'],
  run: async (context, { job_id, status, external_ref, updated_since, limit, cursor }) => {
    const { database, caller } = context;
    const { org_id } = caller;
    if (!(await findOrganisationJob(database, org_id, job_id))) throw new Refusal('job_not_found');
    const now = context.now();
    const filter = { owner: { org_id, job_id }, status, external_ref, updated_since };
    return readPage(
      context,
      {
        name: 'candidates.listCandidateInvitations',
        filter: { ...filter.owner, status, external_ref, updated_since },
        limit,
        cursor,
      },
      {
        list: (after: InvitationPlace | undefined, rows_max) =>
          listInvitations(database, filter, now, after, rows_max),
        count: () => countInvitations(database, filter, now),
        getPlace: ({ created_at, id }): InvitationPlace => [created_at.toISOString(), id],
        toItem: (invitation) => toInvitationWire(context, invitation),
      },
    );
  },
});
