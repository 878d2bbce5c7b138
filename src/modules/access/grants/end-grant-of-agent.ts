import { recordAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { grantRevoked } from './events.ts';
import { endGrant, findOpenGrant } from './store.ts';

/**
 * Ends a grant without its user: the agent gave it up, or one of its tokens was used twice, so that another program may have it. Nothing happens
 * if it has ended already.
 */
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
