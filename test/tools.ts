import type { Tool } from '#lib/tool.ts';
import { toolRows } from '../src/tables/tools.ts';

/** The tools of the MCP endpoint. */
export const tools: readonly Tool[] = toolRows.map(({ tool }) => tool);
