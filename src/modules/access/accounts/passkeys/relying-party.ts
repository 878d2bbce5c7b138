import type { Config } from '#platform/config.ts';
import type { Services } from '#platform/platform.ts';

/** What browsers call this service: its origin, and the host name to which passkeys belong (WebAuthn: the RP ID). */
export type RelyingParty = { readonly origin: string; readonly id: string; readonly name: string };

const service_name = 'Tessera';

/** Reads the relying party from the public URL of the service. A passkey works only there. */
export function readRelyingParty({ publicUrl }: Pick<Config, 'publicUrl'>): RelyingParty {
  const { origin, hostname } = new URL(publicUrl);
  return { origin, id: hostname, name: service_name };
}

/**
 * Derives the id of the account that a challenge of the purpose `create_account` creates. The passkey stores the id before the account exists,
 * and a challenge is answered once, so that nobody can choose the id of another user.
 */
export function deriveUserId({ secrets }: Pick<Services, 'secrets'>, challenge: string): string {
  const bytes = Buffer.from(secrets.computeHmac('passkey-user', challenge).subarray(0, 16));
  // The bits that make a random UUID (RFC 9562, section 5.4).
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The user handle of a user in passkeys: the bytes of the id, which says nothing about the person. */
export function toUserHandle(user_id: string): string {
  return Buffer.from(user_id.replaceAll('-', ''), 'hex').toString('base64url');
}
