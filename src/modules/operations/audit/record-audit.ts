import { randomUUID } from 'node:crypto';
import type { CallerKey, Role } from '#lib/caller.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { AuditDetail } from './rules.ts';
import { insertEntry } from './store.ts';

/** Who acts: a user, or a program by a service key for the user who created the key. */
type AuditActor = { readonly user_id: string; readonly role: Role; readonly service_key?: CallerKey };

/** An entry to write. */
export type NewAuditEntry = {
  readonly now: Date;
  /** The user who acted, and in which role; null for the operator on the command line and for the service itself. */
  readonly actor: AuditActor | null;
  /** `module.past_tense_or_noun`, such as `auth.password_reset`. Stable, because clients filter by it. */
  readonly action: `${string}.${string}`;
  /** The member whom the entry concerns, and who can read it. */
  readonly member_id?: string | null;
  /** The organisation that the entry concerns; its administrators and auditors can read it, `detail` included. */
  readonly org_id?: string | null;
  /**
   * Ids of what was changed, and fixed words of the service. No names, email addresses, network addresses or secrets, and no member ids:
   * an organisation's readers must not learn whose data was paid for. Erasure empties it.
   */
  readonly detail?: AuditDetail;
};

/** Writes an entry about what the caller of an operation does now. */
export function recordCallerAudit(
  context: { readonly now: () => Date; readonly caller: NonNullable<NewAuditEntry['actor']> },
  tx: Transaction,
  entry: Omit<NewAuditEntry, 'now' | 'actor'>,
): Promise<void> {
  return recordAudit(tx, { ...entry, now: context.now(), actor: context.caller });
}

/**
 * Writes an audit entry in the transaction of the act that it describes, so that both are committed or neither is.
 */
export async function recordAudit(tx: Transaction, entry: NewAuditEntry): Promise<void> {
  const { now, actor, action, member_id = null, org_id = null, detail = {} } = entry;
  insertEntry(tx, {
    id: randomUUID(),
    action,
    actor_user_id: actor?.user_id ?? null,
    actor_role: actor?.role ?? null,
    member_id,
    org_id,
    detail: { ...detail, ...(actor?.service_key && { service_key_id: actor.service_key.service_key_id }) },
    created_at: now,
  });
}
