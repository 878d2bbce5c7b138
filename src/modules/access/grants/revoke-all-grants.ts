import { recordAudit } from '#modules/operations/audit';
import type { LoggedInCaller } from '#lib/caller.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { buildSubject } from './end-grant.ts';
import { grantRevoked } from './events.ts';
import { endGrantsOfUser } from './store.ts';

/** Ends all grants of a user, who is closing the account or wants no agent any more. @returns how many have ended. */
export async function revokeAllGrants(
  services: Pick<Services, 'now' | 'queue'>,
  tx: Transaction,
  caller: LoggedInCaller,
): Promise<number> {
  const now = services.now();
  const { user_id } = caller;
  const grant_ids = await endGrantsOfUser(tx, user_id, now);
  for (const grant_id of grant_ids) {
    await services.queue.emit(tx, grantRevoked, { grant_id, user_id });
    const detail = { grant_id };
    await recordAudit(tx, { now, actor: caller, action: 'grants.revoked', ...buildSubject(caller), detail });
  }
  return grant_ids.length;
}
