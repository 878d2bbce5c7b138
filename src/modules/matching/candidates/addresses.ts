import { toCanonicalEmail } from '#modules/access/accounts';
import type { Services } from '#platform/platform.ts';

type WithSecrets = Pick<Services, 'secrets'>;

const purpose = 'candidate-address';

/** Encrypts the address of an invited person, who may have no account here. */
export function sealAddress({ secrets }: WithSecrets, email: string): Buffer {
  return secrets.encrypt(purpose, toCanonicalEmail(email));
}

/** Decrypts what {@link sealAddress} encrypted; null for an address that was deleted. */
export function openAddress({ secrets }: WithSecrets, sealed: Buffer | null): string | null {
  return sealed && secrets.decrypt(purpose, sealed);
}

/** The value by which an address is found again. Without the master key it cannot be computed from an address. */
export function hashAddress({ secrets }: WithSecrets, email: string): Buffer {
  return secrets.computeHmac(purpose, toCanonicalEmail(email));
}

/** Derives the token of the link from the invitation's id and the master key, so that neither the database nor the queue contains it. */
export function deriveToken({ secrets }: WithSecrets, invitation_id: string): string {
  return secrets.computeHmac('candidate-invitation', invitation_id).toString('base64url');
}
