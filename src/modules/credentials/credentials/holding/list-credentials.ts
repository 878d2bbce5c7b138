import { Type } from 'typebox';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { credentialStatuses, credentialTypes } from '../rules.ts';
import { countCredentials, listCredentials as listStored, type CredentialPlace } from '../store.ts';
import { credentialSummaryWire, toSummaryWire } from '../wire.ts';

export const listCredentials = operation({
  name: 'credentials.listCredentials',
  summary: 'Lists credentials, newest first. Members see their own, platform administrators see all.',
  who: ['member', 'platform_admin'],
  input: Type.Object({
    status: Type.Optional(field(Type.Enum(credentialStatuses), 'Only credentials in this status.', 'active')),
    credential_type: Type.Optional(Type.Enum(credentialTypes)),
    ...pageQuery,
  }),
  output: { 200: buildPageSchema(credentialSummaryWire) },
  refuses: ['cursor_invalid'],
  tools: [
    {
      name: 'list_credentials',
      title: 'List credentials',
      kind: 'read',
      roles: ['member'],
      consent: 'Read the list of your credentials',
      description:
        'Lists the person’s credentials, newest first, with type, tier, status and times, and the job or achievement and the organisation that it names. Pass pagination.next_cursor as cursor for the next page.',
    },
  ],
  run: (context, { status, credential_type, limit, cursor }) => {
    const { database, caller } = context;
    const member_id = caller.role === 'member' ? caller.member_id : undefined;
    const filter = { member_id, status, credential_type };
    const now = context.now();
    return readPage(
      context,
      { name: 'credentials.listCredentials', filter, limit, cursor },
      {
        list: (after: CredentialPlace | undefined, rows_max) =>
          listStored(database, filter, now, after, rows_max),
        count: () => countCredentials(database, filter, now),
        getPlace: ({ issued_at, id }): CredentialPlace => [issued_at.toISOString(), id],
        toItem: (credential) => toSummaryWire(credential, now),
      },
    );
  },
});
