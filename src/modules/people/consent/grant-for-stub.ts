import { randomUUID } from 'node:crypto';
import { recordConsentFact } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { consentVersions } from './consent-texts.ts';
import type { QueryCategory } from './rules.ts';
import { insertCategoryRecord } from './store-categories.ts';
import { insertConsentRecord } from './store.ts';

/**
 * Records what the person behind a stub has agreed to, as the creator of the stub declares: that observations are stored, and that
 * organisations may pay to read these categories. The member who claims the stub decides again.
 */
export async function grantForStub(
  context: Pick<Services, 'queue' | 'now'>,
  tx: Transaction,
  member_id: string,
  categories: readonly QueryCategory[],
): Promise<void> {
  const created_at = context.now();
  await recordConsentFact(context, tx, member_id, 'assessment_data', true);
  const version = consentVersions[consentVersions.length - 1]!;
  for (const consent_type of ['assessment_data', 'identity_queries'] as const)
    insertConsentRecord(tx, {
      id: randomUUID(),
      member_id,
      consent_type,
      granted: true,
      version,
      created_at,
    });
  for (const category of categories)
    await insertCategoryRecord(tx, { id: randomUUID(), member_id, category, approved: true, created_at });
}
