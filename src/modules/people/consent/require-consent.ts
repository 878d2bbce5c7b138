import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { ConsentType } from './consent-types.ts';
import { hasConsent } from './store.ts';

/** Requires that the member consents to this type. @throws Refusal `consent_required`. */
export async function requireConsent(
  tx: Transaction,
  member_id: string,
  consent_type: ConsentType,
): Promise<void> {
  if (await hasConsent(tx, member_id, consent_type)) return;
  throw createConsentRefusal(consent_type);
}

/** Creates the refusal for a member who has not consented to this type. */
export function createConsentRefusal(consent_type: ConsentType): Refusal {
  return new Refusal('consent_required', {
    detail: `The member has not consented to ${consent_type}. Only the member can, with POST /members/me/consent.`,
  });
}
