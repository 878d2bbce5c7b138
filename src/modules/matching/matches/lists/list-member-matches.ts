import { Type } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { findMember } from '#modules/people/members';
import { isPreliminary } from '#modules/measurement/traits';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { findNewLabels } from './find-new-labels.ts';
import { checkEngagementLevel } from '../engagement-check.ts';
import { matchStatuses } from '../rules.ts';
import {
  countMemberMatches,
  listMemberMatches as listStoredMatches,
  type MemberMatchPlace,
} from '../store-member-matches.ts';
import { memberMatchWire, toMemberWire } from '../wire.ts';

export const listMemberMatches = operation({
  name: 'matches.listMemberMatches',
  summary:
    'Lists the caller’s matches with tiers instead of numbers, the best tier first, and within a tier what suits the caller best. Requires engagement level 4 (Deployed).',
  who: ['member'],
  input: Type.Object({
    status: Type.Optional(field(Type.Enum(matchStatuses), 'Only matches in this status.', 'org_interested')),
    ...pageQuery,
  }),
  output: { 200: buildPageSchema(memberMatchWire) },
  refuses: ['member_not_found', 'engagement_level_too_low', 'cursor_invalid'],
  tools: [
    {
      name: 'list_matches',
      title: 'List matches',
      kind: 'read',
      roles: ['member'],
      consent: 'Read your matches',
      description:
        'Lists the jobs that the person matches, best tier first, with tier and status. Needs engagement level 4. For the reasons call explain_match; to answer an interested organisation call respond_to_match. Pass pagination.next_cursor as cursor for the next page.',
    },
  ],
  run: async (context, { status, limit, cursor }) => {
    const { database, caller } = context;
    const { member_id } = caller;
    const member = requireFound(await findMember(database, member_id), 'member_not_found');
    checkEngagementLevel(member);
    const [preliminary, labels] = await Promise.all([
      isPreliminary(database, member_id),
      findNewLabels(context, database, member_id),
    ]);
    const filter = { member_id, status };
    return readPage(
      context,
      { name: 'matches.listMemberMatches', filter, limit, cursor },
      {
        list: (after: MemberMatchPlace | undefined, rows_max) =>
          listStoredMatches(database, { ...filter, labels }, after, rows_max),
        count: () => countMemberMatches(database, filter),
        getPlace: ({ match_quality, created_at, id }): MemberMatchPlace => [
          match_quality,
          created_at.toISOString(),
          id,
        ],
        toItem: (match) => toMemberWire(match, preliminary),
      },
    );
  },
});
