import { recordAudit } from '#modules/audit';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { grantRevoked } from './events.ts';
import { endGrant, findOpenGrant } from './store.ts';

/** Ends a grant because of what happened to its tokens: the agent revoked one, or one was used that only a thief can have. */
export async function endGrantOfAgent(
  services: Pick<Services, 'now' | 'queue'>,
  tx: Transaction,
  grant_id: string,
): Promise<void> {
  const now = services.now();
  const grant = await findOpenGrant(tx, grant_id, now);
  if (!grant || (await endGrant(tx, grant_id, now)) === 0) return;
  const { user_id, member_id, org_id } = grant;
  await services.queue.emit(tx, grantRevoked, { grant_id, user_id });
  await recordAudit(tx, {
    now,
    actor: null,
    action: 'grants.revoked',
    member_id,
    org_id,
    detail: { grant_id },
  });
}
