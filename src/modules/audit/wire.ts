import { Type, type Static } from 'typebox';
import { roles } from '#lib/caller.ts';
import { nullable, timestamp, uuid } from '#platform/schema.ts';
import { computeVisibleIds, type AuditEntry, type AuditReach } from './rules.ts';

const strict = { additionalProperties: false };

/** An entry of the audit log, as far as its reader may see it. */
export const auditEntryWire = Type.Object(
  {
    id: uuid,
    action: Type.String({ description: 'module.what_happened' }),
    actor: Type.Object({ user_id: nullable(uuid), role: nullable(Type.Enum(roles)) }, strict),
    member_id: nullable(uuid),
    org_id: nullable(uuid),
    detail: Type.Record(
      Type.String({ pattern: '^[a-z][a-z0-9_]*$' }),
      Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] }),
      strict,
    ),
    created_at: timestamp,
  },
  { $id: 'AuditEntry', ...strict },
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
