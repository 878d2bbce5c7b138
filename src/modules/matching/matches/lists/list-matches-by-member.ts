import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { findMember } from '#modules/people/members';
import { buildPageSchema, pageQuery } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { matchStatuses } from '../rules.ts';
import { matchWire } from '../wire.ts';
import { readMatchPage } from './match-page.ts';

export const listMatchesByMember = operation({
  name: 'matches.listMatchesByMember',
  summary:
    'Lists the matches of a member, best tier first. Members can only list their own, even after they have left matching; platform administrators can list those of any member.',
  who: ['member', 'platform_admin'],
  input: Type.Object({
    member_id: uuid,
    status: Type.Optional(field(Type.Enum(matchStatuses), 'Only matches in this status.', 'org_interested')),
    ...pageQuery,
  }),
  output: { 200: buildPageSchema(matchWire) },
  refuses: ['member_not_found', 'cursor_invalid'],
  run: async (context, { limit, cursor, ...filter }) => {
    const { caller, database } = context;
    const member = await findMember(database, filter.member_id);
    if (!member || (caller.role === 'member' && caller.member_id !== member.id))
      throw new Refusal('member_not_found');
    return readMatchPage(context, 'matches.listMatchesByMember', filter, { limit, cursor });
  },
});
