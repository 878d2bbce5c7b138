import {
  computeCredentialStatus,
  findCredential,
  lockCredential,
  revokeActiveCredential,
} from '#modules/credentials/credentials';
import type { Reader, Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { offerRevoked } from './events.ts';
import { endOffer } from './open-offer.ts';
import type { Offer } from './rules.ts';

/** Whether the credential that came of an offer is neither revoked nor expired. */
export async function isCredentialActive(
  { now }: Pick<Services, 'now'>,
  db: Reader,
  { credential_id, member_id }: Pick<Offer, 'credential_id' | 'member_id'>,
): Promise<boolean> {
  const credential =
    credential_id === null ? undefined : await findCredential(db, { id: credential_id, member_id });
  return credential !== undefined && computeCredentialStatus(credential, now()) === 'active';
}

/** Revokes the credential of an accepted offer, which the transaction has locked, unless it is revoked already. The member gets an email with the reason. */
export async function endAcceptedOffer(
  services: Pick<Services, 'config' | 'keys' | 'queue' | 'now' | 'memory'>,
  tx: Transaction,
  offer: Offer,
  reason: string,
): Promise<Offer> {
  const { id: offer_id, credential_id, member_id } = offer;
  const credential =
    credential_id === null ? undefined : await lockCredential(tx, { id: credential_id, member_id });
  if (credential && credential.revoked_at === null) {
    await revokeActiveCredential(services, tx, credential, reason);
    await services.queue.emit(tx, offerRevoked, { member_id, offer_id });
  }
  return endOffer(services, tx, offer, { state: 'revoked', reason });
}
