import { Type } from 'typebox';
import { operation, type Context } from '#platform/operation.ts';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { field, timestamp, uuid } from '#platform/schema.ts';
import { recordCallerAudit } from './record-audit.ts';
import { auditReaders, checkFilter, buildReach, type AuditFilter } from './rules.ts';
import { countEntries, listEntries } from './store.ts';
import { auditEntryWire, toWire } from './wire.ts';

type EntryPlace = readonly [id: string];

export const readAuditLog = operation({
  name: 'audit.readAuditLog',
  summary:
    'Lists audit entries, newest first. Members see entries about themselves, organisations those about the organisation, and platform administrators all entries.',
  who: auditReaders,
  input: Type.Object({
    action: Type.Optional(
      field(
        Type.String({ maxLength: 100, pattern: '^[a-z_]+\\.([a-z_]+|\\*)$' }),
        'Only entries of this action, or of all that begin like it: `directories.*`.',
        'jobs.created',
      ),
    ),
    since: Type.Optional(field(timestamp, 'Only entries at or after this time.', '2026-03-01T00:00:00Z')),
    until: Type.Optional(field(timestamp, 'Only entries before this time.', '2026-04-01T00:00:00Z')),
    actor_user_id: Type.Optional(uuid),
    member_id: Type.Optional(uuid),
    org_id: Type.Optional(uuid),
    ...pageQuery,
  }),
  output: { 200: buildPageSchema(auditEntryWire) },
  refuses: ['cursor_invalid', 'role_not_allowed'],
  writes_on_read: 'The audit log says which administrator of the platform has read it.',
  run: async (context, { limit, cursor, since, until, ...rest }) => {
    const { database, caller } = context;
    const filter = {
      ...rest,
      since: since === undefined ? undefined : new Date(since),
      until: until === undefined ? undefined : new Date(until),
    };
    const reach = buildReach(caller);
    checkFilter(reach, filter);
    const page = await readPage(
      context,
      { name: 'audit.readAuditLog', filter: { ...filter, reader: caller.user_id }, limit, cursor },
      {
        list: (after: EntryPlace | undefined, rows_max) =>
          listEntries(database, { reach, filter }, after?.[0], rows_max),
        count: () => countEntries(database, { reach, filter }),
        getPlace: ({ id }): EntryPlace => [id],
        toItem: (entry) => toWire(reach, entry),
      },
    );
    if (reach.of === 'everybody' && cursor === undefined) await recordReading(context, filter);
    return page;
  },
});

/**
 * Records a reading by a platform administrator, where the member or organisation that it concerns can see it. Only the first page is
 * recorded: the pages after it show older entries.
 */
function recordReading(
  context: Context<(typeof auditReaders)[number]>,
  { member_id, org_id }: AuditFilter,
): Promise<void> {
  return context.transaction((tx) =>
    recordCallerAudit(context, tx, {
      action: 'audit.log_read',
      member_id: member_id ?? null,
      org_id: org_id ?? null,
    }),
  );
}
