import { openFixtures } from './mcp-fixtures/open-fixtures.ts';
import { vcApiRows } from './vc-api/vc-api.ts';
import type { Additions } from '../../src/app/app.ts';

/** What test suites need of a service besides its own tables: a front of the VC-API, and the tools, prompts and resources of the MCP suites. */
export const interopAdditions: Additions = { originRows: vcApiRows, mcpExtension: openFixtures() };
