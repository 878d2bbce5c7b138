import type { Secrets } from '#platform/security/secrets.ts';
import type { OpenidConfiguration } from './rules.ts';

/** The organisation is a part of the purpose, so that its secret is of no use in the row of another. */
const namePurpose = (org_id: string) => `openid-client-secret:${org_id}`;

export function sealClientSecret(secrets: Pick<Secrets, 'encrypt'>, org_id: string, secret: string): Buffer {
  return secrets.encrypt(namePurpose(org_id), secret);
}

export function unsealClientSecret(
  secrets: Pick<Secrets, 'decrypt'>,
  { org_id, client_secret }: Pick<OpenidConfiguration, 'org_id' | 'client_secret'>,
): string {
  return secrets.decrypt(namePurpose(org_id), client_secret);
}
