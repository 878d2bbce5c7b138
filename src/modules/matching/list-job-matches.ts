import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { decodeCursor, encodeCursor, filterScope, page } from '#lib/cursor.ts';
import { Refusal } from '#lib/refusal.ts';
import { findJobOf } from '#modules/jobs';
import { operation } from '#platform/operation.ts';
import { pageOf, pageQuery } from '#platform/paging.ts';
import { uuid } from '#platform/schema.ts';
import { matchQualities, matchStatuses } from './rules.ts';
import { countMatches, listMatches, type Match, type MatchPlace } from './store.ts';
import { matchWire, toWire } from './wire.ts';

export const listJobMatches = operation({
  name: 'matching.listJobMatches',
  summary: 'The matches of a job, best tier first; within a tier the order is random and stays.',
  who: orgRoles,
  input: Type.Object({
    job_id: uuid,
    quality: Type.Optional(Type.Enum(matchQualities)),
    status: Type.Optional(Type.Enum(matchStatuses)),
    ...pageQuery,
  }),
  output: { 200: pageOf(matchWire) },
  refuses: ['job_not_found', 'cursor_invalid'],
  run: async ({ database, caller, secrets }, { limit, cursor, job_id, quality, status }) => {
    if (!(await findJobOf(database, caller.org_id, job_id))) throw new Refusal('job_not_found');
    const filter = { job_id, quality, status };
    const key = secrets.derive('cursor');
    const scope = filterScope('matching.listJobMatches', filter);
    const after = cursor === undefined ? undefined : (decodeCursor(key, scope, cursor) as MatchPlace);
    const [rows, total_count] = await Promise.all([
      listMatches(database, filter, after, limit + 1),
      countMatches(database, filter),
    ]);
    const next = ({ match_quality, id }: Match) => encodeCursor(key, scope, [match_quality, id]);
    const { data, pagination } = page({ rows, limit, total_count, next });
    return { data: data.map(toWire), pagination };
  },
});
