import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { field, text, timestamp } from '#platform/schema.ts';
import { jobStatuses } from './field-schemas.ts';
import { countJobs, listJobs as listStoredJobs, type JobPlace } from './store.ts';
import { jobResource } from './resource.ts';

export const listJobs = operation({
  name: 'jobs.listJobs',
  summary: 'Lists the jobs of the caller’s organisation, newest first.',
  who: orgRoles,
  input: Type.Object({
    status: Type.Optional(field(Type.Enum(jobStatuses), 'Only jobs in this status.', 'active')),
    external_ref: Type.Optional(
      field(text(200), 'Only jobs with this id in a program of yours.', 'ats-4711'),
    ),
    updated_since: Type.Optional(
      field(
        timestamp,
        'Only jobs that were created or changed at this time or later.',
        '2026-03-01T00:00:00Z',
      ),
    ),
    ...pageQuery,
  }),
  output: { 200: buildPageSchema(jobResource.wire) },
  refuses: ['cursor_invalid'],
  tools: [
    {
      name: 'list_jobs',
      title: 'List jobs',
      kind: 'read',
      roles: orgRoles,
      consent: 'Read the jobs of your organisation',
      description:
        'Lists the jobs of the organisation, newest first, with their trait priorities. Pass pagination.next_cursor as cursor for the next page.',
    },
  ],
  run: (context, { status, external_ref, updated_since, limit, cursor }) => {
    const { database, caller } = context;
    const filter = { org_id: caller.org_id, status, external_ref, updated_since };
    return readPage(
      context,
      { name: 'jobs.listJobs', filter, limit, cursor },
      {
        list: (after: JobPlace | undefined, rows_max) => listStoredJobs(database, filter, after, rows_max),
        count: () => countJobs(database, filter),
        getPlace: ({ created_at, id }): JobPlace => [created_at.toISOString(), id],
        toItem: jobResource.toWire,
      },
    );
  },
});
