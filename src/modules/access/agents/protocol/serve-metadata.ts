import type { OriginReply, OriginRequest } from '#platform/http/origin-routes.ts';
import type { Platform } from '#platform/platform.ts';
import { buildDefaultScope, buildResource } from '../rules.ts';
import { openProvider } from './open-provider.ts';
import { runProvider } from './run-provider.ts';

/** Clients ask again at every connection, and a change of the configuration needs a restart. */
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'public, max-age=300',
} as const;

/** The metadata of the authorization server (RFC 8414, OpenID Connect Discovery 1.0), at every path at which clients look for it. */
export async function serveServerMetadata(platform: Platform, _request: OriginRequest): Promise<OriginReply> {
  const { body } = await runProvider(openProvider(platform), platform.config, {
    method: 'GET',
    url: '/.well-known/oauth-authorization-server',
    headers: {},
    body: '',
  });
  const { publicUrl } = platform.config;
  const metadata = body as { readonly grant_types_supported: readonly string[] };
  return {
    headers,
    content: {
      ...metadata,
      // Programs of organisations, by their service keys.
      grant_types_supported: [...metadata.grant_types_supported, 'client_credentials'],
      response_modes_supported: ['query'],
      service_documentation: `${publicUrl}/docs`,
      protected_resources: [buildResource(publicUrl)],
    },
  };
}

/** The metadata of the MCP endpoint (RFC 9728), which says where its tokens come from. */
export function serveResourceMetadata({ config: { publicUrl }, tools }: Platform): OriginReply {
  return {
    headers,
    content: {
      resource: buildResource(publicUrl),
      resource_name: 'Tessera',
      resource_documentation: `${publicUrl}/docs`,
      authorization_servers: [publicUrl],
      scopes_supported: buildDefaultScope(tools).split(' '),
      bearer_methods_supported: ['header'],
    },
  };
}
