import type { Reader, Transaction } from '#platform/database/database.ts';
import { computeLevelFromRecords, type ConsentLevel, type QueryCategory } from './rules.ts';
import { listLatestCategories, hasCategoryApproval } from './store-categories.ts';
import { listLatestConsents } from './store.ts';
import { lockActiveMember } from '#modules/people/members';

/** What identity data of a member may be sold. */
export type ReadConsent = {
  readonly consent_level: ConsentLevel;
  /** The approved categories; they count only at the levels `selective` and `full`. */
  readonly approved: ReadonlySet<QueryCategory>;
};

/**
 * Finds what a member lets others read for a payment. A transaction that sells locks the member first, in share mode: the member's decisions
 * then wait until it ends, so that no sale completes after a confirmed withdrawal.
 */
export async function findReadConsent(db: Reader, member_id: string): Promise<ReadConsent> {
  const [consents, categories] = await Promise.all([
    listLatestConsents(db, member_id),
    listLatestCategories(db, member_id),
  ]);
  const approved = categories.filter((decision) => decision.approved).map(({ category }) => category);
  return { consent_level: computeLevelFromRecords(consents, categories), approved: new Set(approved) };
}

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
