import { LRUCache } from 'lru-cache';
import { Type } from 'typebox';
import { readOutsideValue } from '#lib/outside-values.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import { operation, type Context } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { readFilter, type UserFilter } from '../filter.ts';
import { requireDirectoryAccess } from '../require-directory-access.ts';
import { countDirectoryUsers, listDirectoryUsers, type UserPlace } from '../store.ts';
import { scimListWire } from '../wire.ts';
import { readRange, writeScimPage } from '../write-scim-page.ts';
import { writeScimUser } from '../write-scim-user.ts';

const page_users_max = 200;

/** Where the pages that follow begin, and how many users there were at the beginning: so that page 1,000 costs what page 2 does. */
const nextPages = instanceMemory(
  () =>
    new LRUCache<string, { readonly after: UserPlace; readonly total: number }>({
      max: 10_000,
      ttl: 10 * 60_000,
    }),
);

export const listUsers = operation({
  name: 'directories.listUsers',
  title: 'List users by a directory',
  summary:
    'Lists the users of the organisation, the oldest accounts first. A filter compares userName, externalId, active or id by eq, joined by and. At most 200 users a page.',
  who: ['org_admin'],
  input: Type.Object({
    filter: Type.Optional(
      field(Type.String({ maxLength: 2_000 }), 'Which users.', 'userName eq "noor.haddad@example.org"'),
    ),
    startIndex: Type.Optional(
      field(Type.Integer({ maximum: 10_000_000 }), 'The place of the first user, from 1.', 1),
    ),
    count: Type.Optional(field(Type.Integer({ maximum: 1_000_000 }), 'How many users at most.', 100)),
  }),
  output: { 200: scimListWire },
  refuses: ['organisation_not_found', 'organisation_tier_too_low', 'directory_filter_refused'],
  run: async (context, { filter, startIndex, count }) => {
    const { database, caller, config } = context;
    await requireDirectoryAccess(database, caller);
    const { start, limit } = readRange({ startIndex, count }, page_users_max);
    const { users, total } = await readPage(context, writeName(readFilter(filter)), start, limit);
    const resources = users.map((user) => writeScimUser(user, config.publicUrl));
    return writeScimPage(resources, { total, start });
  },
});

/** User names are compared as addresses. */
function writeName(filter: UserFilter): UserFilter {
  const { user_name } = filter;
  return user_name === undefined ? filter : { ...filter, user_name: readOutsideValue('email', user_name) };
}

async function readPage(context: Context<'org_admin'>, filter: UserFilter, start: number, limit: number) {
  const { database, caller } = context;
  const listed = { org_id: caller.org_id, filter };
  const nameStart = (at: number) => JSON.stringify([caller.org_id, filter, at]);
  const known = start === 1 ? undefined : nextPages(context).get(nameStart(start));
  const total = known?.total ?? (await countDirectoryUsers(database, listed));
  if (limit === 0 || start > total) return { users: [], total };
  const from = known ? { after: known.after, skipped: 0 } : { after: undefined, skipped: start - 1 };
  const users = await listDirectoryUsers(database, listed, from, limit);
  const last = users.at(-1);
  if (last)
    nextPages(context).set(nameStart(start + users.length), {
      after: [last.created_at.toISOString(), last.id],
      total,
    });
  return { users, total };
}
