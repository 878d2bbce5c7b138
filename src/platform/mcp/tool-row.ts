import type { AgentTool } from '#lib/agent-tools.ts';
import type { Operation } from '#platform/operation.ts';

/** How a tool of the registry is called: its operation, and what a model reads about it. */
export type ToolBinding = {
  readonly operation: Operation;
  /** Written for a model: what the tool returns, when to call it, and what to call before or after. */
  readonly description: string;
  /** Input fields of the operation that the tool sets itself. They are not among its arguments. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** The tool changes or removes what cannot be restored by another call. */
  readonly isDestructive?: true;
  /** Calling the tool again with the same arguments changes nothing more. Tools that read always have this property. */
  readonly isIdempotent?: true;
};

/** One line of TABLE 4. */
export type ToolRow = ToolBinding & { readonly tool: AgentTool };

/** The argument of a paid tool that has its payment. It is no field of the operation, which reads payments from the request. */
export const payment_argument = '_payment';
