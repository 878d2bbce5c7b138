import type { Reader } from '#platform/database/database.ts';
import type { OpenidConfiguration } from '../openid/rules.ts';
import { findOpenidConfiguration } from '../openid/store.ts';
import type { Configuration } from '../rules.ts';
import { findConfiguration } from '../store.ts';

/** How the users of an organisation log in: by SAML or by OpenID Connect, never both. */
export type EnabledProtocol =
  | { readonly protocol: 'saml'; readonly configuration: Configuration }
  | { readonly protocol: 'openid'; readonly configuration: OpenidConfiguration };

/** Finds how the users of an organisation log in; undefined if neither protocol is on. */
export async function findEnabledProtocol(db: Reader, org_id: string): Promise<EnabledProtocol | undefined> {
  const saml = await findConfiguration(db, org_id);
  if (saml?.enabled) return { protocol: 'saml', configuration: saml };
  const openid = await findOpenidConfiguration(db, org_id);
  return openid?.enabled ? { protocol: 'openid', configuration: openid } : undefined;
}
