import type { ToolAdvice } from '#lib/tool.ts';

/**
 * TABLE 10: what a model reads about a refusal of a tool, where the advice of its status would not be enough: what the agent, or the person
 * whom it works for, can do about it.
 */
export const toolAdvice: ToolAdvice = {
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
  assessment_cooling_off: () =>
    'The message says from when on the person may begin again. Until then, call next_assessment_item without restart.',
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
