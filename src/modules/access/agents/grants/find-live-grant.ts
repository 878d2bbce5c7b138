import type { Reader } from '#platform/database/database.ts';
import { serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { isUseStored, type Grant } from './rules.ts';
import { findOpenGrant, setScopeAsked, updateLastUse, type GrantHolder } from './store.ts';

/** A grant by which an agent acts now, and the user for whom it acts. */
export type LiveGrant = Grant & GrantHolder;

/**
 * Finds a grant by which an agent may act at this moment, with one look-up by its primary key.
 *
 * @returns undefined if it was revoked or has expired, if its user was suspended, removed or erased, or has chosen a new password since.
 */
export function findLiveGrant(
  { now }: Pick<Services, 'now'>,
  db: Reader,
  grant_id: string,
): Promise<LiveGrant | undefined> {
  return findOpenGrant(db, grant_id, now());
}

/** Stores that a grant is used now. Most uses are not written: one a minute is enough to show when an agent was last active. */
export async function noteGrantUse(
  services: Services,
  { id, last_used_at }: Pick<Grant, 'id' | 'last_used_at'>,
): Promise<void> {
  const now = services.now();
  if (isUseStored(last_used_at, now)) await updateLastUse(serviceDatabase(services), id, now);
}

/** Stores that an agent has to ask its user for a further tool now (see {@link isScopeAsked}). */
export function noteScopeAsked(services: Services, grant_id: string): Promise<void> {
  return setScopeAsked(serviceDatabase(services), grant_id, services.now());
}
