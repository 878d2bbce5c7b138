import { Type } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { requireDirectoryAccess } from '../require-directory-access.ts';
import { findDirectoryUser } from '../store.ts';
import { scimUserId, scimUserWire } from '../wire.ts';
import { writeScimUser } from '../write-scim-user.ts';

export const readUser = operation({
  name: 'directories.readUser',
  title: 'Read a user by a directory',
  summary: 'Reads a user of the organisation as directories see one.',
  who: ['org_admin'],
  input: Type.Object({ id: scimUserId }),
  output: { 200: scimUserWire },
  refuses: ['user_not_found', 'organisation_not_found', 'organisation_tier_too_low'],
  run: async ({ database, caller, config }, { id }) => {
    await requireDirectoryAccess(database, caller);
    const { org_id } = caller;
    const user = requireFound(await findDirectoryUser(database, { id, org_id }), 'user_not_found');
    return writeScimUser(user, config.publicUrl);
  },
});
