import { findLinkedEntityId, type LoggedInCaller } from '#lib/caller.ts';
import { recordAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { grantRevoked } from './events.ts';
import type { Grant } from './rules.ts';
import { endGrant } from './store.ts';

/** Ends a grant, and tells what depends on it. The caller of an operation is the actor. */
export async function endAndRecord(
  services: Pick<Services, 'now' | 'queue'>,
  tx: Transaction,
  { id, user_id }: Pick<Grant, 'id' | 'user_id'>,
  caller: LoggedInCaller,
): Promise<void> {
  const now = services.now();
  if ((await endGrant(tx, id, now)) === 0) return;
  await services.queue.emit(tx, grantRevoked, { grant_id: id, user_id });
  const detail = { grant_id: id };
  await recordAudit(tx, { now, actor: caller, action: 'grants.revoked', ...buildSubject(caller), detail });
}

/** Builds the fields of an audit entry that name the member or the organisation of a user. */
export function buildSubject(caller: LoggedInCaller): {
  readonly member_id: string | null;
  readonly org_id: string | null;
} {
  const id = findLinkedEntityId(caller);
  return caller.role === 'member' ? { member_id: id, org_id: null } : { member_id: null, org_id: id };
}
