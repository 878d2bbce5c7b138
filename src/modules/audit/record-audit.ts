import { randomUUID } from 'node:crypto';
import type { Transaction } from '#platform/database/database.ts';
import type { AuditDetail } from './rules.ts';
import { insertEntry } from './store.ts';

/** What happened, as the one who knows tells it. */
export type NewAuditEntry = {
  readonly now: Date;
  /** The user who did it; null: the operator on the command line, or the service itself. */
  readonly actor_user_id: string | null;
  /** `module.past_tense_or_noun`, as `auth.password_reset`. Stable: people filter by it. */
  readonly action: `${string}.${string}`;
  /** The member whom it concerns, who will read it. */
  readonly member_id?: string | null;
  /** The organisation that it concerns; its administrators and auditors will read it, `detail` included. */
  readonly org_id?: string | null;
  /**
   * Ids of what was touched, and words of ours: no names, e-mails, addresses, secrets, and no id of a member: who reads for an organisation
   * must not learn from it whose data was paid for. Erasure empties it.
   */
  readonly detail?: AuditDetail;
};

/** Writes an entry about what the caller of an operation did now. */
export function recordCallerAudit(
  context: { readonly now: () => Date; readonly caller: { readonly user_id: string } },
  tx: Transaction,
  entry: Omit<NewAuditEntry, 'now' | 'actor_user_id'>,
): Promise<void> {
  return recordAudit(tx, { ...entry, now: context.now(), actor_user_id: context.caller.user_id });
}

/** Writes an entry of the audit log in the transaction of what it tells: both happen, or neither. The role is the actor's of that moment. */
export async function recordAudit(tx: Transaction, audited: NewAuditEntry): Promise<void> {
  const { now, actor_user_id, action, member_id = null, org_id = null, detail = {} } = audited;
  await insertEntry(tx, {
    id: randomUUID(),
    action,
    actor_user_id,
    member_id,
    org_id,
    detail,
    created_at: now,
  });
}
