import { recordConsentFact } from '#modules/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { ConsentType } from './rules.ts';
import { insertDisapprovals } from './store-categories.ts';
import { insertWithdrawals } from './store.ts';

/** Withdraws every consent and every approval that the member has given, by new records; @returns the types that were granted. */
export async function withdrawEverything(
  context: Pick<Platform, 'queue'> & { readonly now: () => Date },
  tx: Transaction,
  member_id: string,
): Promise<readonly ConsentType[]> {
  // These two decide the engagement level, and the first takes the member's lock.
  for (const consent_type of ['matching', 'assessment_data'])
    await recordConsentFact(context, tx, member_id, consent_type, false);
  await insertDisapprovals(tx, member_id, context.now());
  return insertWithdrawals(tx, member_id, context.now());
}
