import { Type } from 'typebox';
import { decodeCursor, encodeCursor, buildFilterScope, buildPage } from '#lib/cursor.ts';
import { operation } from '#platform/operation.ts';
import { buildPageSchema, pageQuery } from '#platform/database/paging.ts';
import { credentialStatuses, credentialTypes } from '../rules.ts';
import { countCredentials, listCredentials as listStored, type CredentialPlace } from '../store.ts';
import { credentialSummaryWire, toSummaryWire } from '../wire.ts';

export const listCredentials = operation({
  name: 'credentials.listCredentials',
  summary: 'Credentials, newest first: a member’s own, everybody’s for platform administrators.',
  who: ['member', 'platform_admin'],
  input: Type.Object({
    status: Type.Optional(Type.Enum(credentialStatuses)),
    credential_type: Type.Optional(Type.Enum(credentialTypes)),
    ...pageQuery,
  }),
  output: { 200: buildPageSchema(credentialSummaryWire) },
  refuses: ['cursor_invalid'],
  run: async ({ database, caller, secrets, now }, { status, credential_type, limit, cursor }) => {
    const member_id = caller.role === 'member' ? caller.member_id : undefined;
    const filter = { member_id, status, credential_type };
    const key = secrets.deriveKey('cursor');
    const scope = buildFilterScope('credentials.listCredentials', filter);
    const after = cursor === undefined ? undefined : (decodeCursor(key, scope, cursor) as CredentialPlace);
    const at = now();
    const [credentials, total_count] = await Promise.all([
      listStored(database, filter, at, after, limit + 1),
      countCredentials(database, filter, at),
    ]);
    const rows = credentials.map((credential) => toSummaryWire(credential, at));
    const encodeRowCursor = (last: (typeof rows)[number]) =>
      encodeCursor(key, scope, [last.issued_at, last.id]);
    return buildPage({ rows, limit, total_count, next: encodeRowCursor });
  },
});
