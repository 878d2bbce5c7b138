import { recordAudit, type NewAuditEntry } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { forgetKeys } from './authenticate-service-key.ts';
import type { ServiceKey } from './rules.ts';
import { deleteKeysOfUser } from './store.ts';

/** Ends the keys that act for a user of an organisation, within a second on every node. */
export async function revokeKeysOfUser(
  services: Pick<Services, 'memory' | 'now'>,
  tx: Transaction,
  holder: Pick<ServiceKey, 'user_id'> & { readonly org_id: string },
  actor: NonNullable<NewAuditEntry['actor']>,
): Promise<void> {
  const now = services.now();
  tx.afterCommit(() => forgetKeys(services));
  for (const id of await deleteKeysOfUser(tx, holder)) {
    const detail = { revoked_key_id: id };
    await recordAudit(tx, { now, actor, action: 'service_keys.revoked', org_id: holder.org_id, detail });
  }
}
