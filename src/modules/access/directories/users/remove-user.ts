import { Type } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { checkIfMatch } from '#platform/etag.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { removeOrgUser } from '#modules/organisations/org-users';
import { operation } from '#platform/operation.ts';
import { lockDirectory } from '../require-directory-access.ts';
import { findDirectoryUser } from '../store.ts';
import { scimUserId } from '../wire.ts';
import { writeScimUser } from '../write-scim-user.ts';
import { endAccess } from './end-access.ts';

export const removeUser = operation({
  name: 'directories.removeUser',
  title: 'Remove a user by a directory',
  summary: 'Removes a user from the organisation. The user’s sessions, service keys and agents end at once.',
  who: ['org_admin'],
  input: Type.Object({ id: scimUserId }),
  output: { 204: null },
  refuses: [
    'user_not_found',
    'organisation_not_found',
    'organisation_tier_too_low',
    'directory_key_owner',
    'last_admin',
    'precondition_failed',
  ],
  run: (context, { id }) =>
    context.transaction(async (tx) => {
      await lockDirectory(tx, context.caller);
      const { org_id } = context.caller;
      const user = requireFound(await findDirectoryUser(tx, { id, org_id }), 'user_not_found');
      await checkIfMatch(context.request, () => writeScimUser(user, context.config.publicUrl), ['meta']);
      await endAccess(context, tx, user);
      await removeOrgUser(context, tx, user);
      const detail = { user_id: user.id, role: user.role };
      await recordCallerAudit(context, tx, { action: 'directories.user_removed', org_id, detail });
      return null;
    }),
});
