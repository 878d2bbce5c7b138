import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { closedObject, field, nullable, timestamp, uuid, toReply } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { computeVisibleIds, type AuditEntry, type AuditReach } from './rules.ts';

/** An entry of the audit log, with hidden ids as null. */
export const auditEntryWire = closedObject(
  {
    id: field(uuid, 'The id of the entry.', sampleIds.entry),
    action: field(Type.String(), 'What happened: module.what_happened.', 'jobs.created'),
    actor: field(
      closedObject({
        user_id: field(nullable(uuid), 'The id of the user; null if you may not know it.', sampleIds.user),
        role: field(nullable(Type.Enum(roles)), 'The role of the user.', 'org_admin'),
      }),
      'Who did it.',
    ),
    member_id: nullable(uuid),
    org_id: nullable(uuid),
    detail: field(
      Type.Record(
        Type.String({ pattern: '^[a-z][a-z0-9_]*$' }),
        Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] }),
        { additionalProperties: false },
      ),
      'Further facts, which depend on the action.',
      { job_id: sampleIds.job },
    ),
    created_at: timestamp,
  },
  { $id: 'AuditEntry' },
);

export function toWire(reach: AuditReach, entry: AuditEntry) {
  const { actor_user_id, member_id } = computeVisibleIds(reach, entry);
  return toReply(auditEntryWire, {
    ...entry,
    actor: { user_id: actor_user_id, role: entry.actor_role },
    member_id,
  });
}
