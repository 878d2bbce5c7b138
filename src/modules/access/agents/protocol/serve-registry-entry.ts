import type { OriginReply } from '#platform/http/origin-routes.ts';
import type { Platform } from '#platform/platform.ts';
import { readVersion } from '#platform/telemetry/build.ts';
import { buildResource } from '../rules.ts';

const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/**
 * The entry of this service for a registry of MCP servers (`server.json`), which the operator publishes. Its name is the domain of the
 * service backwards: the registry asks for a proof that the operator holds the domain.
 */
export async function serveRegistryEntry({ config: { publicUrl } }: Platform): Promise<OriginReply> {
  return {
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=300' },
    content: {
      $schema: schema,
      name: `${reverseDomain(new URL(publicUrl).hostname)}/tessera`,
      title: 'Tessera',
      description:
        'Fair assessment, matching with work, verifiable credentials, and paid reads with consent.',
      version: await readVersion(),
      websiteUrl: publicUrl,
      remotes: [{ type: 'streamable-http', url: buildResource(publicUrl) }],
    },
  };
}

function reverseDomain(hostname: string): string {
  return hostname
    .replaceAll(/[^a-z0-9.-]/g, '-')
    .split('.')
    .toReversed()
    .join('.');
}
