import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { findMember } from '#modules/members';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { checkEngagementLevel } from '../engagement-check.ts';
import { matchStatuses } from '../lifecycle/rules.ts';
import {
  countMemberMatches,
  listMemberMatches as listStoredMatches,
  type MemberMatchPlace,
} from '../store.ts';
import { memberMatchWire, toMemberWire } from '../wire.ts';

export const listMemberMatches = operation({
  name: 'matching.listMemberMatches',
  summary:
    'Lists the caller’s matches, newest first, with tiers instead of numbers. Requires engagement level 4 (Deployed).',
  who: ['member'],
  input: Type.Object({ status: Type.Optional(Type.Enum(matchStatuses)), ...pageQuery }),
  output: { 200: buildPageSchema(memberMatchWire) },
  refuses: ['member_not_found', 'engagement_level_too_low', 'cursor_invalid'],
  run: async (context, { status, limit, cursor }) => {
    const { database, caller } = context;
    const { member_id } = caller;
    const member = await findMember(database, member_id);
    if (!member) throw new Refusal('member_not_found');
    checkEngagementLevel(member);
    const filter = { member_id, status };
    return readPage(
      context,
      { name: 'matching.listMemberMatches', filter, limit, cursor },
      {
        list: (after: MemberMatchPlace | undefined, rows_max) =>
          listStoredMatches(database, filter, after, rows_max),
        count: () => countMemberMatches(database, filter),
        getPlace: ({ created_at, id }): MemberMatchPlace => [created_at.toISOString(), id],
        toItem: toMemberWire,
      },
    );
  },
});
