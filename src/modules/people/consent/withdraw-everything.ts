import { recordConsentFact } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import type { ConsentType } from './consent-types.ts';
import { insertDisapprovals } from './store-categories.ts';
import { insertWithdrawals } from './store.ts';

/** Withdraws every consent and every approval that the member has given, by adding records. @returns the types that were granted. */
export async function withdrawEverything(
  context: Pick<Services, 'queue' | 'now'>,
  tx: Transaction,
  member_id: string,
): Promise<readonly ConsentType[]> {
  // These two types decide the engagement level. The first call locks the member.
  for (const consent_type of ['matching', 'assessment_data'])
    await recordConsentFact(context, tx, member_id, consent_type, false);
  await insertDisapprovals(tx, member_id, context.now());
  return insertWithdrawals(tx, member_id, context.now());
}
