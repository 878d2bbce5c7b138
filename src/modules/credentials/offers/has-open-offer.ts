import type { Reader } from '#platform/database/database.ts';
import { countOffers } from './store.ts';

/** Whether a member has an offer that waits for an answer. */
export async function hasOpenOffer(db: Reader, member_id: string, now: Date): Promise<boolean> {
  return (await countOffers(db, { owner: { member_id }, status: 'open' }, now)) > 0;
}
