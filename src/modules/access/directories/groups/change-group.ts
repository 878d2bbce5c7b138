import { createFieldRefusal, Refusal, requireFound } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import { checkIfMatch } from '#platform/etag.ts';
import type { Context } from '#platform/operation.ts';
import { lockDirectory } from '../require-directory-access.ts';
import { changeWithRoles } from './apply-roles.ts';
import { group_members_max, type DirectoryGroup, type GroupChange, type MemberChange } from './rules.ts';
import { findGroup, listKnownUsers, listMembers, updateMembers, upsertGroup } from './store.ts';
import { writeScimGroup } from './write-scim-group.ts';

type AdminContext = Context<'org_admin'>;

/** What a change of a group may refuse. */
export const groupRefusals = [
  'directory_group_not_found',
  'organisation_not_found',
  'organisation_tier_too_low',
  'directory_user_exists',
  'directory_group_full',
  'directory_key_owner',
  'last_admin',
  'precondition_failed',
] as const;

/** Finds a group of the caller's organisation under its lock, and compares its version with If-Match. */
export async function lockGroup(context: AdminContext, tx: Transaction, id: string): Promise<DirectoryGroup> {
  await lockDirectory(tx, context.caller);
  const found = await findGroup(tx, { id, org_id: context.caller.org_id });
  const group = requireFound(found, 'directory_group_not_found');
  const { publicUrl } = context.config;
  // The version of a group says all that its representation does, the members included.
  await checkIfMatch(context.request, () => ({ version: writeScimGroup(group, publicUrl).meta.version }));
  return group;
}

/** Stores what a directory says about a group, and gives its members their roles. What changes nothing writes nothing. */
export async function changeGroup(
  context: AdminContext,
  tx: Transaction,
  group: DirectoryGroup,
  change: GroupChange,
): Promise<DirectoryGroup> {
  const { org_id } = context.caller;
  const { display_name = group.display_name, external_id = group.external_id, members } = change;
  const moved = members && (await selectMoved(tx, group, org_id, members));
  const isMoved = moved !== undefined && moved.added.length + moved.removed.length > 0;
  if (display_name === group.display_name && external_id === group.external_id && !isMoved) return group;
  const changed_at = context.now();
  const changed = { ...group, display_name, external_id, changed_at, version: group.version + 1 };
  await upsertGroup(tx, org_id, changed);
  if (isMoved)
    await changeWithRoles(context, tx, [...moved.added, ...moved.removed], () =>
      updateMembers(tx, group.id, moved),
    );
  const detail = { group_id: group.id, added: moved?.added.length ?? 0, removed: moved?.removed.length ?? 0 };
  await recordCallerAudit(context, tx, { action: 'directories.group_changed', org_id, detail });
  return changed;
}

/** Selects who comes and who goes. @throws Refusal `field_invalid`, `directory_group_full`. */
async function selectMoved(
  tx: Transaction,
  group: DirectoryGroup,
  org_id: string,
  { keeps, added, removed }: MemberChange,
) {
  const before = new Set((await listMembers(tx, group.id, org_id)).map(({ id }) => id));
  const coming = [...added].filter((id) => !before.has(id));
  const known = new Set(await listKnownUsers(tx, org_id, coming));
  if (coming.some((id) => !known.has(id)))
    throw createFieldRefusal('field_invalid', '/members', 'must be users of the organisation');
  const going = [...before].filter((id) => (keeps ? removed.has(id) : !added.has(id)));
  if (before.size + coming.length - going.length > group_members_max)
    throw new Refusal('directory_group_full');
  return { added: coming, removed: going };
}
