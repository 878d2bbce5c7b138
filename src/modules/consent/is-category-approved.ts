import { lockActiveMember } from '#modules/members';
import type { Transaction } from '#platform/database/database.ts';
import type { QueryCategory } from './rules.ts';
import { hasCategoryApproval } from './store-categories.ts';

/**
 * Whether this category of the member's identity may be sold: the account is active, assessment_data and identity_queries are granted, and
 * the category is approved. Ask in the transaction that sells: the member's decisions wait for its end, so that a withdrawal that has been
 * confirmed stops every sale that is not finished yet.
 */
export async function isCategoryApproved(
  tx: Transaction,
  member_id: string,
  category: QueryCategory,
): Promise<boolean> {
  // The lock comes first: a statement that waited for it would still see the decisions from before it waited.
  return (await lockActiveMember(tx, member_id)) && hasCategoryApproval(tx, member_id, category);
}
