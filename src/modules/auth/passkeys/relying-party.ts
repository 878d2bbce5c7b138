import type { Config } from '#platform/config.ts';

/** What browsers call this service: its origin, and the host name to which passkeys belong (WebAuthn: the RP ID). */
export type RelyingParty = { readonly origin: string; readonly id: string; readonly name: string };

const service_name = 'Tessera';

/** Reads the relying party from the public URL of the service. A passkey works only there. */
export function readRelyingParty({ publicUrl }: Pick<Config, 'publicUrl'>): RelyingParty {
  const { origin, hostname } = new URL(publicUrl);
  return { origin, id: hostname, name: service_name };
}

/** The user handle of a user in passkeys: the bytes of the id, which says nothing about the person. */
export function toUserHandle(user_id: string): string {
  return Buffer.from(user_id.replaceAll('-', ''), 'hex').toString('base64url');
}
