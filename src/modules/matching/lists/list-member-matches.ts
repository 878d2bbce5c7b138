import { Type } from 'typebox';
import { decodeCursor, encodeCursor, buildFilterScope, buildPage } from '#lib/cursor.ts';
import { Refusal } from '#lib/refusal.ts';
import { findMember } from '#modules/members';
import { operation } from '#platform/operation.ts';
import { buildPageSchema, pageQuery } from '#platform/database/paging.ts';
import { checkEngagementLevel } from '../engagement-check.ts';
import { matchStatuses } from '../lifecycle/rules.ts';
import {
  countMemberMatches,
  listMemberMatches as listStored,
  type MemberMatch,
  type MemberMatchPlace,
} from '../store.ts';
import { memberMatchWire, toMemberWire } from '../wire.ts';

export const listMemberMatches = operation({
  name: 'matching.listMemberMatches',
  summary:
    'The caller’s matches, newest first, in tiers and never in numbers. Needs engagement level 4, Deployed.',
  who: ['member'],
  input: Type.Object({ status: Type.Optional(Type.Enum(matchStatuses)), ...pageQuery }),
  output: { 200: buildPageSchema(memberMatchWire) },
  refuses: ['member_not_found', 'engagement_level_too_low', 'cursor_invalid'],
  run: async ({ database, caller, secrets }, { status, limit, cursor }) => {
    const { member_id } = caller;
    const member = await findMember(database, member_id);
    if (!member) throw new Refusal('member_not_found');
    checkEngagementLevel(member);
    const filter = { member_id, status };
    const key = secrets.deriveKey('cursor');
    const scope = buildFilterScope('matching.listMemberMatches', filter);
    const after = cursor === undefined ? undefined : (decodeCursor(key, scope, cursor) as MemberMatchPlace);
    const [rows, total_count] = await Promise.all([
      listStored(database, filter, after, limit + 1),
      countMemberMatches(database, filter),
    ]);
    const encodeRowCursor = ({ created_at, id }: MemberMatch) =>
      encodeCursor(key, scope, [created_at.toISOString(), id]);
    const { data, pagination } = buildPage({ rows, limit, total_count, next: encodeRowCursor });
    return { data: data.map(toMemberWire), pagination };
  },
});
