import type { KoaContextWithOIDC } from 'oidc-provider';
import { Refusal } from '#lib/refusal.ts';
import type { Platform } from '#platform/platform.ts';
import { verifyCapability } from '../tokens/verify-capability.ts';
import { endGrant } from './end-grant.ts';

/**
 * Revokes a capability token (RFC 7009). The library refuses to, because it does not store these tokens. Here they end with their grant, which is what a
 * client means that disconnects. The library has authenticated the client before; a token of another client, or an invalid one, changes nothing, and
 * the reply is the same.
 */
export async function revokeAccessToken(platform: Platform, context: KoaContextWithOIDC): Promise<void> {
  const { error } = (context.body ?? {}) as { error?: unknown };
  if (context.path !== '/oauth/revoke' || error !== 'unsupported_token_type') return;
  const { client, params } = context.oidc;
  if (!client) return;
  const capability = await verifyCapability(platform, `Bearer ${String(params?.['token'])}`).catch(
    (refusal: unknown) => {
      if (refusal instanceof Refusal && refusal.status < 500) return undefined;
      throw refusal;
    },
  );
  if (capability?.client_id === client.clientId) await endGrant(platform, capability.grant_id);
  context.status = 200;
  context.body = '';
}
