import { Type } from 'typebox';
import { decodeCursor, encodeCursor, buildFilterScope, buildPage } from '#lib/cursor.ts';
import { operation } from '#platform/operation.ts';
import { buildPageSchema, pageQuery } from '#platform/database/paging.ts';
import { countOrgUsers, listOrgUsers, type OrgUserPlace } from './store.ts';
import { orgUserWire, toWire } from './wire.ts';

export const listUsers = operation({
  name: 'orgUsers.listUsers',
  summary: 'Who belongs to the organisation that the caller acts for, and who is invited to, newest first.',
  who: ['org_admin', 'auditor'],
  input: Type.Object({ ...pageQuery }),
  output: { 200: buildPageSchema(orgUserWire) },
  refuses: ['cursor_invalid'],
  run: async ({ database, caller, secrets, now }, { limit, cursor }) => {
    const { org_id } = caller;
    const org = { org_id, now: now() };
    const key = secrets.deriveKey('cursor');
    const scope = buildFilterScope('orgUsers.listUsers', { org_id });
    const after = cursor === undefined ? undefined : (decodeCursor(key, scope, cursor) as OrgUserPlace);
    const [users, total_count] = await Promise.all([
      listOrgUsers(database, org, after, limit + 1),
      countOrgUsers(database, org),
    ]);
    const encodeRowCursor = ({ created_at, id }: { created_at: string; id: string }) =>
      encodeCursor(key, scope, [created_at, id]);
    return buildPage({ rows: users.map(toWire), limit, total_count, next: encodeRowCursor });
  },
});
