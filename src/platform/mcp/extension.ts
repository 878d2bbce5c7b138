import type { Implementation, McpServer, ServerNotifier } from '@modelcontextprotocol/server';
import type { ListedTool } from './write-tool.ts';

/** What a server of an extension needs. */
export type ExtensionRequest = {
  readonly serverInfo: Implementation;
  /** The tools of the table that the caller may see, which `tools/list` has to show as well. */
  readonly ownTools: readonly ListedTool[];
  /** The bus of the endpoint, on which a tool can announce changes. */
  readonly findNotifier: () => ServerNotifier;
};

/**
 * What a composition adds to the endpoint besides the tools of its table, such as prompts and resources. Its server answers every message
 * that does not call one of these tools, and is created for each such message.
 */
export type McpExtension = { readonly createServer: (request: ExtensionRequest) => McpServer };
