import type { Refusal, RefusalCode } from '#lib/refusal.ts';

/** What an agent learns about a call that was not carried out. */
export type ToolProblem = {
  readonly code: string;
  readonly message: string;
  /** The arguments that are wrong. */
  readonly fields?: readonly { readonly field: string; readonly reason: string }[];
  /** What the agent, or the person whom it works for, can do about it. */
  readonly what_to_do: string;
  readonly retry_after_seconds?: number;
  readonly request_id: string;
};

/** Describes a refusal for a model: the code, the arguments that are wrong, and what to do. */
export function describeProblem(refusal: Refusal, publicUrl: string, request_id: string): ToolProblem {
  const { code, extras, message, status } = refusal;
  const retry_after_seconds = readRetryAfter(refusal);
  return {
    code,
    message,
    ...(extras.errors && {
      fields: extras.errors.map(({ pointer, reason }) => ({ field: toFieldName(pointer), reason })),
    }),
    what_to_do: chooseAdvice(code, status, publicUrl, retry_after_seconds),
    ...(retry_after_seconds !== undefined && { retry_after_seconds }),
    request_id,
  };
}

function readRetryAfter({ extras }: Refusal): number | undefined {
  const header = extras.headers?.['retry-after'];
  return header === undefined ? undefined : Number(header);
}

/** A pointer such as `/salary_max` is the argument `salary_max`; `/claims/0` is `claims.0`. An empty one is about all arguments. */
function toFieldName(pointer: string): string {
  return pointer === '' ? 'arguments' : pointer.slice(1).replaceAll('/', '.');
}

function chooseAdvice(
  code: RefusalCode,
  status: number,
  publicUrl: string,
  retry_after_seconds: number | undefined,
): string {
  const special = adviceByCode[code]?.(publicUrl);
  if (special !== undefined) return special;
  if (retry_after_seconds !== undefined)
    return `Wait ${retry_after_seconds} seconds, then call the tool again with the same arguments.`;
  return (
    adviceByStatus[status] ??
    'Tell the person what happened. Calling again with the same arguments will not help.'
  );
}

const adviceByStatus: Readonly<Record<number, string>> = {
  403: 'The person has to change this themselves. Tell them why the call was refused.',
  404: 'Check the id: take it from the reply of a tool that lists these objects.',
  409: 'The state does not allow this. Read it again, and decide again.',
  410: 'This cannot be used any more. Ask for a new one.',
  422: 'Correct the fields that are named, and call the tool again.',
  429: 'Wait before you call the tool again.',
  503: 'Try again in a few seconds with the same arguments.',
};

/** Where the advice of the status would not be enough. */
const adviceByCode: Partial<Record<RefusalCode, (publicUrl: string) => string>> = {
  tool_not_granted: (publicUrl) =>
    `The person has not allowed this tool. Do not ask again by yourself. If they want it, they can remove this connection at ${publicUrl}/app/agents, connect again and tick the tool.`,
  authentication_required: (publicUrl) =>
    `This tool needs a person who has logged in. Connect to ${publicUrl}/mcp, which asks for that.`,
  role_not_allowed: () =>
    'Nobody with this person’s role may call this tool, so it cannot be allowed. Use another tool.',
  consent_required: (publicUrl) =>
    `The person has to consent first: at ${publicUrl}/app/consent, or by the tool set_consent if they ask you to. read_consent shows what is missing.`,
  consent_level_too_low: (publicUrl) =>
    `The person has to consent to identity_queries first, at ${publicUrl}/app/consent.`,
  email_not_verified: (publicUrl) =>
    `The person has to verify their email address first. They can request a new link at ${publicUrl}/app/account.`,
  engagement_level_too_low: () =>
    'The person has to reach a higher engagement level first: consent, a complete assessment and a filled profile. read_profile shows the level.',
  item_not_asked: () => 'Call next_assessment_item to get the current item, and answer that one.',
  option_out_of_range: () => 'Choose the index of one of the options of the item; the first is 0.',
  assessment_not_found: () => 'Call next_assessment_item first. It starts the assessment.',
  assessment_complete: () => 'The assessment has ended. read_traits and read_archetype return its result.',
  archetype_not_found: () =>
    'The person has to finish the first stage of the assessment: call next_assessment_item.',
  trait_vector_not_found: () =>
    'The person has to finish the first stage of the assessment: call next_assessment_item.',
  match_status_conflict: () =>
    'Read the match again with the tool that lists matches. Its status has changed.',
  payment_already_used: () => 'Make a new payment for this read. The old one has paid for another.',
  payment_unresolved: () =>
    'Send the same payment again after the seconds in retry_after_seconds. Do not make another payment.',
  grant_spend_cap_reached: (publicUrl) =>
    `The person has set a limit to what you may spend, and this read would exceed it. No tool can raise it. They can allow more at ${publicUrl}/app/agents.`,
  internal_error: () => 'This is a fault of the service. Tell the person the request_id, for the operator.',
};
