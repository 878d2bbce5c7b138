import type { Operation, ToolDeclaration } from '#platform/operation.ts';

/** One line of TABLE 4: a tool, and the operation that declares it. */
export type ToolRow = { readonly tool: ToolDeclaration; readonly operation: Operation };

/**
 * Writes one line of TABLE 4.
 *
 * @throws TypeError if the operation does not declare the tool.
 */
export function tool(name: string, operation: Operation): ToolRow {
  const declared = operation.tools?.find((each) => each.name === name);
  if (!declared) throw new TypeError(`the operation ${operation.name} declares no tool ${name}`);
  return { tool: declared, operation };
}

/** The argument of a paid tool that has its payment. It is no field of the operation, which reads payments from the request. */
export const payment_argument = '_payment';
