import type { Role } from '#lib/caller.ts';
import type { Micros } from '#lib/money.ts';
import { createFieldRefusal } from '#lib/refusal.ts';
import { listToolsForRole, type Tool } from '#lib/tool.ts';

/** What a user allows an agent to do. */
export type Grant = {
  readonly id: string;
  readonly user_id: string;
  readonly client_id: string;
  readonly client_name: string;
  /** The host to which the user was sent back. It is harder to pretend than a name. */
  readonly redirect_host: string;
  readonly tools: readonly string[];
  /** What the agent asked for and was not allowed. */
  readonly refused_tools: readonly string[];
  /** How much the agent may spend in all; null if it may spend nothing. */
  readonly spend_cap: Micros | null;
  readonly spent: Micros;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  /** When the agent last had to ask its user for a further tool. */
  readonly scope_asked_at: Date | null;
  readonly expires_at: Date;
};

/** How many agents a user can have connected at the same time. */
export const grants_max = 50;

/** The lifetimes that a user chooses from, in days. */
export const lifetimes_days = [1, 30, 90, 365] as const;

export type LifetimeDays = (typeof lifetimes_days)[number];

/** The most that a user can let an agent spend in all. */
export const spend_cap_dollars_max = 10_000;

const day_ms = 86_400_000;

/** Computes when a grant of so many days ends. */
export function computeGrantEnd(lifetime_days: LifetimeDays, now: Date): Date {
  return new Date(now.getTime() + lifetime_days * day_ms);
}

/** How exactly the last use of a grant is stored. A write for each call would cost more than the knowledge is worth. */
const use_precision_ms = 60_000;

/** Whether a use of a grant or a service key is stored: not if the last one was stored less than a minute ago. */
export function isUseStored(last_used_at: Date | null, now: Date): boolean {
  return last_used_at === null || now.getTime() - last_used_at.getTime() >= use_precision_ms;
}

/** How long a client has to answer that a tool needs a wider consent. */
const scope_answer_ms = 10_000;

/**
 * Whether an agent had to ask its user for a further tool a moment ago. A refresh at this moment is the answer of a client that does not know that a
 * refresh widens nothing (typescript-sdk of MCP, version 1). If it is refused, such a client asks the user.
 */
export function isScopeAsked({ scope_asked_at }: Pick<Grant, 'scope_asked_at'>, now: Date): boolean {
  return scope_asked_at !== null && Math.abs(now.getTime() - scope_asked_at.getTime()) < scope_answer_ms;
}

/** What a user decides about the tools that an agent asks for. */
type Decision = {
  readonly role: Role;
  /** What the client asks for. Names that this role may not allow are left out. */
  readonly asked: readonly string[];
  /** What the user has ticked. */
  readonly allowed: readonly string[];
  readonly spend_cap: Micros | null;
};

/** The tools of a grant, in the order of the registry, and what it may spend. */
export type Terms = Pick<Grant, 'tools' | 'refused_tools' | 'spend_cap'>;

/** Lists the tools that a client asks for and that a user with this role may allow, in the order of the registry. */
export function listOfferedTools(
  tools: readonly Tool[],
  role: Role,
  asked: readonly string[],
): readonly Tool[] {
  return listToolsForRole(tools, role).filter(({ name }) => asked.includes(name));
}

/**
 * Decides the terms of a grant. Nobody allows more than their role may, and nothing that the client did not ask for. Without a tool that spends
 * money, there is no cap.
 *
 * @throws Refusal `field_invalid` if a tool is not offered or none is allowed, or if a tool that spends money has no cap.
 */
export function decideTerms(tools: readonly Tool[], { role, asked, allowed, spend_cap }: Decision): Terms {
  const offered = listOfferedTools(tools, role, asked);
  if (allowed.some((name) => !offered.some((tool) => tool.name === name)))
    throw createFieldRefusal(
      'field_invalid',
      '/tools',
      'must be tools that the agent asks for and that your role may allow',
    );
  const granted = offered.filter(({ name }) => allowed.includes(name));
  if (granted.length === 0)
    throw createFieldRefusal(
      'field_invalid',
      '/tools',
      'must have at least one tool. To allow nothing, deny the request',
    );
  const spends = granted.some(({ kind }) => kind === 'spend');
  if (spends && spend_cap === null)
    throw createFieldRefusal('field_invalid', '/spend_cap', 'is required for a tool that spends money');
  return {
    tools: granted.map(({ name }) => name),
    refused_tools: offered.filter((tool) => !granted.includes(tool)).map(({ name }) => name),
    spend_cap: spends ? spend_cap : null,
  };
}

/** The terms of a grant without one of its tools, which counts as refused from then on. Without a tool that spends money, nothing may be spent. */
export function removeTool(tools: readonly Tool[], terms: Terms, tool: string): Terms {
  const left = terms.tools.filter((name) => name !== tool);
  return {
    tools: left,
    refused_tools: [...terms.refused_tools.filter((name) => name !== tool), tool],
    spend_cap: hasSpendingTool(tools, left) ? terms.spend_cap : null,
  };
}

export function hasSpendingTool(tools: readonly Tool[], names: readonly string[]): boolean {
  return tools.some(({ name, kind }) => kind === 'spend' && names.includes(name));
}

/** The host that publishes who a client is, if its id is the address of its document; null for a client that registered itself. */
export function findDocumentHost(client_id: string): string | null {
  return URL.canParse(client_id) ? new URL(client_id).host : null;
}
