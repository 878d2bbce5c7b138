import { randomUUID } from 'node:crypto';
import { recordAudit } from '#modules/operations/audit';
import { recordConsentFact } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import type { ConsentType } from './consent-types.ts';
import type { ConsentVersion } from './consent-texts.ts';
import { insertConsentRecord } from './store.ts';

/** What a user has agreed to while their account was created, before they can call an operation as a member. */
export type Grant = {
  readonly user_id: string;
  readonly member_id: string;
  readonly consent_type: ConsentType;
  readonly version: ConsentVersion;
};

/** Records a consent that a new member has given in the same request as their account. */
export async function grantConsent(
  context: Pick<Services, 'queue' | 'now'>,
  tx: Transaction,
  { user_id, member_id, consent_type, version }: Grant,
): Promise<void> {
  const now = context.now();
  await recordConsentFact(context, tx, member_id, consent_type, true);
  const id = randomUUID();
  insertConsentRecord(tx, { id, member_id, consent_type, granted: true, version, created_at: now });
  await recordAudit(tx, {
    now,
    actor: { user_id, role: 'member' },
    action: 'consent.granted',
    member_id,
    detail: { consent_type, version },
  });
}
