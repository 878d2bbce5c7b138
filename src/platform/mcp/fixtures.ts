import type {
  CallToolRequestParams,
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerCapabilities,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { ListedTool } from './write-tool.ts';

/** What a test suite of the protocol expects of a server besides the protocol itself: tools, prompts and resources with fixed names. */
export type McpFixtures = {
  readonly capabilities: ServerCapabilities;
  readonly tools: readonly Omit<ListedTool, 'outputSchema' | 'annotations' | 'title'>[];
  readonly hasTool: (name: string) => boolean;
  readonly callTool: (
    server: McpServer['server'],
    params: CallToolRequestParams,
    context: ServerContext,
  ) => Promise<CallToolResult | InputRequiredResult>;
  /** Adds the handlers of all methods except those of tools. */
  readonly addHandlers: (server: McpServer['server']) => void;
};
