import type { Reader } from '#platform/database/database.ts';
import { computeLevelFromRecords, type ConsentLevel, type QueryCategory } from './rules.ts';
import { listLatestCategories } from './store-categories.ts';
import { listLatestConsents } from './store.ts';

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
