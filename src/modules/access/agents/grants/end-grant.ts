import { findLinkedEntityId, type LoggedInCaller } from '#lib/caller.ts';
import { recordAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { grantRevoked } from './events.ts';
import type { Grant } from './rules.ts';
import { endGrant, endGrantsOfUser, findOpenGrant } from './store.ts';

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

/** Ends all grants of a user, who is closing the account or wants no agent any more. @returns how many have ended. */
export function revokeAllGrants(
  services: Pick<Services, 'now' | 'queue'>,
  tx: Transaction,
  caller: LoggedInCaller,
): Promise<number> {
  return revokeUserGrants(services, tx, { user_id: caller.user_id, ...buildSubject(caller) }, caller);
}

/** Ends all grants of a user for somebody who may. @returns how many have ended. */
export async function revokeUserGrants(
  services: Pick<Services, 'now' | 'queue'>,
  tx: Transaction,
  { user_id, ...subject }: Pick<Grant, 'user_id'> & ReturnType<typeof buildSubject>,
  actor: LoggedInCaller,
): Promise<number> {
  const now = services.now();
  const grant_ids = await endGrantsOfUser(tx, user_id, now);
  for (const grant_id of grant_ids) {
    await services.queue.emit(tx, grantRevoked, { grant_id, user_id });
    await recordAudit(tx, { now, actor, action: 'grants.revoked', ...subject, detail: { grant_id } });
  }
  return grant_ids.length;
}

/** Builds the fields of an audit entry that name the member or the organisation of a user. */
export function buildSubject(caller: LoggedInCaller): {
  readonly member_id: string | null;
  readonly org_id: string | null;
} {
  const id = findLinkedEntityId(caller);
  return caller.role === 'member' ? { member_id: id, org_id: null } : { member_id: null, org_id: id };
}

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
