import { Type } from 'typebox';
import { microsFromNumber, microsToNumber, type Micros } from '#lib/money.ts';
import { createFieldRefusal } from '#lib/refusal.ts';
import { closedObject, field, nullable, patternText, timestamp, uuid, toReply } from '#platform/schema.ts';
import { spend_cap_dollars_max, type Grant } from './rules.ts';

const sampleGrant = '7b6a5948-3726-4150-8f4e-3d2c1b0a9f8e';

export const grantId = field(uuid, 'The id of the grant.', sampleGrant);

const toolName = patternText('^[a-z_]+$', 'must be the name of a tool', { maxLength: 64 });

export const toolInput = field(toolName, 'The name of a tool.', 'update_profile');

/** The most that an agent may spend, in a request. */
export const spendCapInput = field(
  Type.Number({ minimum: 0.01, maximum: spend_cap_dollars_max }),
  'The most that the agent may spend in all, in US dollars, with at most six decimals.',
  20,
);

export const grantWire = closedObject(
  {
    id: grantId,
    client_id: field(
      Type.String(),
      'The OAuth client id of the program.',
      'https://agent.example/client.json',
    ),
    client_name: field(
      Type.String(),
      'How the program names itself, which nobody has checked, or its host if it has no name or one that imitates.',
      'Agent Desk',
    ),
    redirect_host: field(Type.String(), 'The host to which the user was sent back.', 'agent.example'),
    tools: field(Type.Array(Type.String()), 'The tools that it may use.', ['read_profile', 'list_matches']),
    refused_tools: field(Type.Array(Type.String()), 'The tools that it asked for and may not use.', [
      'update_profile',
    ]),
    spend_cap: field(
      nullable(Type.Number()),
      'The most that it may spend in all, in US dollars; null if nothing.',
      20,
    ),
    spent: field(Type.Number(), 'What it has spent so far, in US dollars.', 0.25),
    created_at: field(timestamp, 'When it was first allowed.', '2026-03-09T07:45:00.000Z'),
    last_used_at: field(
      nullable(timestamp),
      'When it last used a tool, to the minute; null if it has not yet.',
      '2026-03-09T08:10:00.000Z',
    ),
    expires_at: field(timestamp, 'When it ends by itself.', '2026-06-07T07:45:00.000Z'),
  },
  { $id: 'Grant' },
);

export function toGrantWire({ spend_cap, spent, ...grant }: Grant) {
  return toReply(grantWire, {
    ...grant,
    spend_cap: spend_cap === null ? null : microsToNumber(spend_cap),
    spent: microsToNumber(spent),
  });
}

/** Reads an amount of a request. @throws Refusal `field_invalid`. */
export function readSpendCap(amount: number): Micros {
  try {
    return microsFromNumber(amount);
  } catch {
    throw createFieldRefusal('field_invalid', '/spend_cap', 'must have at most six decimals');
  }
}
