import type { Caller } from '#lib/caller.ts';
import { isDefaultTool, isPublicTool, toToolScope, type Tool } from '#lib/tool.ts';

/**
 * What a caller may do with a tool: call it; log in first; ask for more scope; or nothing, because the person has not allowed the tool, or
 * because no user with this role may call it.
 */
export type ToolAccess = 'allowed' | 'sign_in' | 'ask_for_scope' | 'refused' | 'wrong_role';

/** Decides what a caller may do with a tool. A person who has said no is not asked again by a step-up, which would be a loop. */
export function decideAccess(tool: Tool, caller: Caller): ToolAccess {
  if (isPublicTool(tool)) return 'allowed';
  if (caller.role === 'anonymous') return 'sign_in';
  if (!tool.roles?.includes(caller.role)) return 'wrong_role';
  if (caller.grant?.tools.has(tool.name)) return 'allowed';
  return caller.grant?.refused_tools.has(tool.name) ? 'refused' : 'ask_for_scope';
}

/**
 * Whether tools/list shows a tool to a caller: public tools always, and the others if the caller may call them now. Tools that no client asks
 * for at first, because they spend money, are also listed to who could allow them: a client learns only here that they exist, and the call
 * of one asks for its scope.
 */
export function isListed(tool: Tool, caller: Caller): boolean {
  const access = decideAccess(tool, caller);
  return access === 'allowed' || (access === 'ask_for_scope' && !isDefaultTool(tool));
}

/** The scopes for which a client without a token should ask: all that do not spend money, and what the call needs. */
export function listFirstScopes(tools: readonly Tool[], needed?: Tool): readonly string[] {
  return tools.filter((tool) => isDefaultTool(tool) || isSame(tool, needed)).map(toToolScope);
}

/** The scopes of a step-up: what the client has, and what the call needs. Some clients would lose what is not listed. */
export function listStepUpScopes(
  tools: readonly Tool[],
  held: ReadonlySet<string>,
  needed: Tool,
): readonly string[] {
  return tools.filter((tool) => held.has(tool.name) || isSame(tool, needed)).map(toToolScope);
}

/** Whether a tool that has a scope is the one that a call needs. */
function isSame(tool: Tool, needed: Tool | undefined): boolean {
  return !isPublicTool(tool) && tool.name === needed?.name;
}
