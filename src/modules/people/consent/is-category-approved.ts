import { lockActiveMember } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import type { QueryCategory } from './rules.ts';
import { hasCategoryApproval } from './store-categories.ts';

/**
 * Whether this category of the member's identity data may be sold: the account is active, assessment_data and identity_queries are granted,
 * and the category is approved. Call this in the transaction that sells: the member's decisions wait until it ends, so that no sale
 * completes after a confirmed withdrawal.
 */
export async function isCategoryApproved(
  tx: Transaction,
  member_id: string,
  category: QueryCategory,
): Promise<boolean> {
  // A separate statement takes the lock, because a statement that waits for a lock still sees the data from before the wait.
  return (await lockActiveMember(tx, member_id)) && hasCategoryApproval(tx, member_id, category);
}
