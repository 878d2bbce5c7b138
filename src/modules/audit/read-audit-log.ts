import { Type } from 'typebox';
import { decodeCursor, encodeCursor, buildFilterScope, buildPage } from '#lib/cursor.ts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { buildPageSchema, pageQuery } from '#platform/database/paging.ts';
import { uuid } from '#platform/schema.ts';
import { recordAudit } from './record-audit.ts';
import { auditReaders, checkFilter, parseTime, buildReach, type AuditFilter } from './rules.ts';
import { countEntries, listEntries } from './store.ts';
import { auditEntryWire, toWire } from './wire.ts';

const time = Type.String({ format: 'date-time', maxLength: 40 });

export const readAuditLog = operation({
  name: 'audit.readAuditLog',
  summary:
    'Who did what to whom, newest first: a member reads about themselves, an organisation about itself, a platform administrator everything.',
  who: auditReaders,
  input: Type.Object({
    action: Type.Optional(Type.String({ maxLength: 100, pattern: '^[a-z_]+\\.[a-z_]+$' })),
    since: Type.Optional(time),
    until: Type.Optional(time),
    actor_user_id: Type.Optional(uuid),
    member_id: Type.Optional(uuid),
    org_id: Type.Optional(uuid),
    ...pageQuery,
  }),
  output: { 200: buildPageSchema(auditEntryWire) },
  refuses: ['cursor_invalid', 'role_not_allowed'],
  run: async (context, { limit, cursor, since, until, ...rest }) => {
    const filter = { ...rest, since: parseTime('/since', since), until: parseTime('/until', until) };
    const reach = buildReach(context.caller);
    checkFilter(reach, filter);
    const key = context.secrets.deriveKey('cursor');
    const scope = buildFilterScope('audit.readAuditLog', { ...filter, reader: context.caller.user_id });
    const after = cursor === undefined ? undefined : (decodeCursor(key, scope, cursor)[0] as string);
    return context.transaction(async (tx) => {
      const rows = await listEntries(tx, { reach, filter }, after, limit + 1);
      const total_count = await countEntries(tx, { reach, filter });
      if (reach.of === 'everybody' && after === undefined) await recordReading(context, tx, filter);
      const encodeRowCursor = ({ id }: { id: string }) => encodeCursor(key, scope, [id]);
      return buildPage({
        rows: rows.map((entry) => toWire(reach, entry)),
        limit,
        total_count,
        next: encodeRowCursor,
      });
    });
  },
});

/** Whoever may read about everybody is seen doing so, by whom they ask about; once, for the pages that follow tell of what was before. */
async function recordReading(
  { caller, now }: Context<(typeof auditReaders)[number]>,
  tx: Transaction,
  { member_id, org_id }: AuditFilter,
): Promise<void> {
  await recordAudit(tx, {
    now: now(),
    actor_user_id: caller.user_id,
    action: 'audit.log_read',
    member_id: member_id ?? null,
    org_id: org_id ?? null,
  });
}
