import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { listOperation } from '#platform/list-operation.ts';
import { closedObject, field, nullable, timestamp, uuid } from '#platform/schema.ts';
import { countGroups, listCountedGroups, type CountedGroup, type GroupPlace } from './store.ts';

/** A group as administrators see it. */
export const directoryGroupWire = closedObject(
  {
    id: field(uuid, 'The id of the group.', '3c9a1f70-5b2e-4d86-8f14-a07d6e2b9c53'),
    display_name: field(Type.String(), 'What the directory calls the group.', 'Hiring managers'),
    role: field(
      nullable(Type.Enum(orgRoles)),
      'What the members of the group may do; null if the group decides nothing.',
      'auditor',
    ),
    members: field(Type.Integer({ minimum: 0 }), 'How many users are in it.', 8),
    changed_at: field(timestamp, 'When it was changed last.', '2026-03-02T09:00:00.000Z'),
  },
  { $id: 'DirectoryGroup' },
);

/** Writes a group for administrators. */
export function toGroupWire({ id, display_name, role, members, changed_at }: CountedGroup) {
  return { id, display_name, role, members, changed_at: changed_at.toISOString() };
}

export const listDirectoryGroups = listOperation({
  name: 'directories.listDirectoryGroups',
  title: 'List the groups of the directory',
  summary: 'Lists the groups that the organisation’s directory has sent, the oldest first, with their roles.',
  who: ['org_admin'],
  getOwner: ({ org_id }) => org_id,
  list: listCountedGroups,
  count: (db, org_id) => countGroups(db, { org_id, filter: {} }),
  getPlace: ({ created_at, id }): GroupPlace => [created_at.toISOString(), id],
  item: directoryGroupWire,
  toItem: toGroupWire,
});
