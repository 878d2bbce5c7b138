import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { countOrgUsers, listOrgUsers, type OrgUserPlace } from './store.ts';
import { orgUserWire, toWire } from './wire.ts';

export const listUsers = operation({
  name: 'orgUsers.listUsers',
  summary: 'Lists the users and open invitations of the caller’s organisation, newest first.',
  who: ['org_admin', 'auditor'],
  input: Type.Object({ ...pageQuery }),
  output: { 200: buildPageSchema(orgUserWire) },
  refuses: ['cursor_invalid'],
  run: (context, { limit, cursor }) => {
    const { database, caller, now } = context;
    const { org_id } = caller;
    const org = { org_id, now: now() };
    return readPage(
      context,
      { name: 'orgUsers.listUsers', filter: { org_id }, limit, cursor },
      {
        list: (after: OrgUserPlace | undefined, rows_max) => listOrgUsers(database, org, after, rows_max),
        count: () => countOrgUsers(database, org),
        getPlace: ({ created_at, id }): OrgUserPlace => [created_at.toISOString(), id],
        toItem: toWire,
      },
    );
  },
});
