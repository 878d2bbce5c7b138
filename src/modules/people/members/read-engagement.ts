import { requireFound } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { findMember } from './store.ts';
import { engagementWire, toEngagementWire } from './wire.ts';

export const readEngagement = operation({
  name: 'members.readEngagement',
  summary: 'Returns the caller’s engagement level, and what is missing for the next one.',
  who: ['member'],
  output: { 200: engagementWire },
  refuses: ['member_not_found'],
  run: async ({ database, caller }) => {
    const member = requireFound(await findMember(database, caller.member_id), 'member_not_found');
    return toEngagementWire(member);
  },
});
