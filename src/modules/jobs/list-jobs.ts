import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { decodeCursor, encodeCursor, buildFilterScope, buildPage } from '#lib/cursor.ts';
import { operation } from '#platform/operation.ts';
import { buildPageSchema, pageQuery } from '#platform/database/paging.ts';
import { jobStatuses } from './rules.ts';
import { countJobs, listJobs as listStored, type JobPlace } from './store.ts';
import { jobWire, toWire } from './wire.ts';

export const listJobs = operation({
  name: 'jobs.listJobs',
  summary: 'The jobs of the organisation that the caller acts for, newest first.',
  who: orgRoles,
  input: Type.Object({ status: Type.Optional(Type.Enum(jobStatuses)), ...pageQuery }),
  output: { 200: buildPageSchema(jobWire) },
  refuses: ['cursor_invalid'],
  run: async ({ database, caller, secrets }, { status, limit, cursor }) => {
    const filter = { org_id: caller.org_id, status };
    const key = secrets.deriveKey('cursor');
    const scope = buildFilterScope('jobs.listJobs', filter);
    const after = cursor === undefined ? undefined : (decodeCursor(key, scope, cursor) as JobPlace);
    const [jobs, total_count] = await Promise.all([
      listStored(database, filter, after, limit + 1),
      countJobs(database, filter),
    ]);
    const encodeRowCursor = ({ created_at, id }: { created_at: string; id: string }) =>
      encodeCursor(key, scope, [created_at, id]);
    return buildPage({ rows: jobs.map(toWire), limit, total_count, next: encodeRowCursor });
  },
});
