import { randomBytes } from 'node:crypto';
import { createRequestStateCodec } from '@modelcontextprotocol/server';
import { createFixtureServer } from './create-fixture-server.ts';
import type { McpExtension } from '#platform/mcp/extension.ts';

/**
 * Prepares what the test suites of the protocol's authors expect of a server besides the protocol itself: tools, prompts and resources with
 * fixed names. With them, the suites test the same endpoint, library and transport as agents use.
 */
export function openFixtures(): McpExtension {
  const states = createRequestStateCodec<Readonly<Record<string, unknown>>>({ key: randomBytes(32) });
  return { createServer: (request) => createFixtureServer(request, states) };
}
