import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { readGroupFilter } from '../filter.ts';
import { requireDirectoryAccess } from '../require-directory-access.ts';
import { excludedAttributes, scimGroupListWire } from '../wire.ts';
import { readRange, writeScimPage } from '../write-scim-page.ts';
import { directory_groups_max } from './rules.ts';
import { countGroups, listGroups as listStoredGroups } from './store.ts';
import { writeScimGroup } from './write-scim-group.ts';

export const listGroups = operation({
  name: 'directories.listGroups',
  title: 'List groups by a directory',
  summary:
    'Lists the groups of the organisation without their members, the oldest first. A filter compares displayName, externalId or id by eq, joined by and.',
  who: ['org_admin'],
  input: Type.Object({
    filter: Type.Optional(
      field(Type.String({ maxLength: 2_000 }), 'Which groups.', 'displayName eq "Hiring managers"'),
    ),
    startIndex: Type.Optional(
      field(Type.Integer({ maximum: 10_000_000 }), 'The place of the first group, from 1.', 1),
    ),
    count: Type.Optional(field(Type.Integer({ maximum: 1_000_000 }), 'How many groups at most.', 100)),
    excludedAttributes,
  }),
  output: { 200: scimGroupListWire },
  refuses: ['organisation_not_found', 'organisation_tier_too_low', 'directory_filter_refused'],
  run: async ({ database, caller, config }, { filter, startIndex, count }) => {
    await requireDirectoryAccess(database, caller);
    const listed = { org_id: caller.org_id, filter: readGroupFilter(filter) };
    const { start, limit } = readRange({ startIndex, count }, directory_groups_max);
    const [total, groups] = await Promise.all([
      countGroups(database, listed),
      listStoredGroups(database, listed, { limit, skipped: start - 1 }),
    ]);
    const resources = groups.map((group) => writeScimGroup(group, config.publicUrl));
    return writeScimPage(resources, { total, start });
  },
});
