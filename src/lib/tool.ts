import type { Role } from './caller.ts';
import type { RefusalCode } from './refusals.ts';

/** What a tool may do. The consent page groups tools by this. A `spend` tool pays for what it reads. */
export type ToolKind = 'read' | 'write' | 'spend';

/** A tool of the MCP endpoint, as the consent page and the scopes see it. */
export type Tool = {
  /** `[a-z_]+`, which every client accepts. */
  readonly name: string;
  /** The name of the tool for people. */
  readonly title: string;
  readonly kind: ToolKind;
  /**
   * The roles that may allow the tool to an agent, a part of the `who` of its operation. Platform administrators are never among them:
   * the powers of an operator are not delegated to agents. Absent for public tools, which nobody has to allow.
   */
  readonly roles?: readonly Role[];
  /** What the consent page says that the agent may do. Absent for public tools. */
  readonly consent?: string;
};

/** Whether a tool needs no login, so that nobody has to allow it. */
export function isPublicTool({ roles }: Tool): boolean {
  return roles === undefined;
}

/** Whether a client without a token asks for the tool: not for public tools, which need no scope, nor for those that spend money. */
export function isDefaultTool(tool: Tool): boolean {
  return !isPublicTool(tool) && tool.kind !== 'spend';
}

/** Lists the tools that a user with this role may allow to an agent. */
export function listToolsForRole<Each extends Tool>(tools: readonly Each[], role: Role): readonly Each[] {
  return tools.filter(({ roles }) => roles?.includes(role));
}

const scope_prefix = 'tool:';

/** Returns the OAuth scope of a tool. */
export function toToolScope({ name }: Pick<Tool, 'name'>): string {
  return `${scope_prefix}${name}`;
}

/** Lists the scopes of all tools that somebody has to allow. */
export function listToolScopes(tools: readonly Tool[]): readonly string[] {
  return tools.filter((tool) => !isPublicTool(tool)).map(toToolScope);
}

/** Writes tools as a scope: their scopes, separated by spaces (RFC 6749, section 3.3). */
export function joinToolScopes(tools: readonly Pick<Tool, 'name'>[]): string {
  return tools.map(toToolScope).join(' ');
}

/** Reads the tools of a scope, without repetitions, other scopes, unknown tools and public tools, which have no scope. */
export function readToolScopes(tools: readonly Tool[], scope: string): readonly Tool[] {
  const asked = new Set(scope.split(' '));
  return [...asked].flatMap(
    (each) => tools.find((tool) => !isPublicTool(tool) && toToolScope(tool) === each) ?? [],
  );
}

/** What an agent, or the person whom it works for, can do about a refusal, by its code. The URL is that of the service. */
export type ToolAdvice = Partial<Record<RefusalCode, (publicUrl: string) => string>>;
