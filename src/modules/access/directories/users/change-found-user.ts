import { requireFound } from '#lib/refusal.ts';
import { checkIfMatch } from '#platform/etag.ts';
import type { Context } from '#platform/operation.ts';
import { lockDirectory } from '../require-directory-access.ts';
import type { UserChange } from '../rules.ts';
import { findDirectoryUser } from '../store.ts';
import type { ScimUser } from '../wire.ts';
import { writeScimUser } from '../write-scim-user.ts';
import { changeUser } from './change-user.ts';

/** Finds a user of the caller's organisation, compares its version with If-Match, and changes it. @throws Refusal as {@link changeUser}. */
export function changeFoundUser(
  context: Context<'org_admin'>,
  id: string,
  change: UserChange,
): Promise<ScimUser> {
  const { publicUrl } = context.config;
  return context.transaction(async (tx) => {
    await lockDirectory(tx, context.caller);
    const { org_id } = context.caller;
    const user = requireFound(await findDirectoryUser(tx, { id, org_id }), 'user_not_found');
    await checkIfMatch(context.request, () => writeScimUser(user, publicUrl), ['meta']);
    return writeScimUser(await changeUser(context, tx, user, change), publicUrl);
  });
}
