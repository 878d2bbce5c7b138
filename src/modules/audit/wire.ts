import { Type, type Static } from 'typebox';
import { roles } from '#lib/caller.ts';
import { closedObject, nullable, timestamp, uuid } from '#platform/schema.ts';
import { computeVisibleIds, type AuditEntry, type AuditReach } from './rules.ts';

/** An entry of the audit log, with hidden ids as null. */
export const auditEntryWire = closedObject(
  {
    id: uuid,
    action: Type.String({ description: 'module.what_happened' }),
    actor: closedObject({ user_id: nullable(uuid), role: nullable(Type.Enum(roles)) }),
    member_id: nullable(uuid),
    org_id: nullable(uuid),
    detail: Type.Record(
      Type.String({ pattern: '^[a-z][a-z0-9_]*$' }),
      Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] }),
      { additionalProperties: false },
    ),
    created_at: timestamp,
  },
  { $id: 'AuditEntry' },
);

export function toWire(reach: AuditReach, entry: AuditEntry): Static<typeof auditEntryWire> {
  const { id, action, actor_role, org_id, detail, created_at } = entry;
  const { actor_user_id, member_id } = computeVisibleIds(reach, entry);
  return {
    id,
    action,
    actor: { user_id: actor_user_id, role: actor_role },
    member_id,
    org_id,
    detail,
    created_at: created_at.toISOString(),
  };
}
