import { Type } from 'typebox';
import { compareCodePoints } from '#lib/text/code-points.ts';
import { countMembersByName, listMembersByName, type NamePlace } from '#modules/people/members';
import { buildLongPageSchema, counted_max, pageQuery, readPage } from '#platform/database/paging.ts';
import type { Reader } from '#platform/database/database.ts';
import { operation } from '#platform/operation.ts';
import { field, patternText, text, uuid } from '#platform/schema.ts';
import { nameAccounts } from './name-accounts.ts';
import { checkSearch, parseIdentifier } from './rules.ts';
import { accountSearch } from '#modules/access/accounts';
import { accountWire, toWire } from './wire.ts';

const idPattern =
  '^(?:[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|[Mm][Bb][Rr]-[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{8})$';

export const searchUsers = operation({
  name: 'operator.searchUsers',
  title: 'Search users',
  summary:
    'Lists accounts in the order of their addresses, or in the order of their names if a name is searched. A name cannot be combined with other fields.',
  who: ['platform_admin'],
  input: Type.Object({
    email: Type.Optional(
      field(text(254), 'Only addresses that begin with this text, or handles, after an @.', 'ada.'),
    ),
    name: Type.Optional(
      field(text(200), 'Only names that begin with this text. Case does not matter.', 'Ada'),
    ),
    identifier: Type.Optional(
      field(
        patternText(
          idPattern,
          'must be the id of a user or a member, or an external id such as MBR-4H8T2WNC',
          {
            maxLength: 36,
          },
        ),
        'Only accounts with this id of a user or a member, or with this external id of a member.',
        'MBR-4H8T2WNC',
      ),
    ),
    org_id: Type.Optional(field(uuid, 'Only users of this organisation.')),
    suspended: Type.Optional(
      field(Type.Boolean(), 'Only accounts that cannot log in (true), or only those that can (false).', true),
    ),
    ...pageQuery,
  }),
  output: { 200: buildLongPageSchema(accountWire) },
  refuses: ['cursor_invalid'],
  checks: [checkSearch],
  run: (context, { limit, cursor, ...search }) => {
    const { database } = context;
    const page = { name: 'operator.searchUsers', filter: search, limit, cursor };
    const { name } = search;
    if (name !== undefined)
      return readPage(context, page, {
        list: async (after: NamePlace | undefined, rows_max) =>
          nameAccounts(database, await listByName(database, name, after, rows_max)),
        count: () => countByName(database, name),
        getPlace: (row): NamePlace => [row.name, row.member_id ?? row.id],
        toItem: toWire,
      });
    const { identifier, ...others } = search;
    const accounts = { ...others, ids: identifier === undefined ? undefined : parseIdentifier(identifier) };
    return readPage(context, page, {
      list: async (after: readonly [login_name: string] | undefined, rows_max) =>
        nameAccounts(database, await accountSearch.listAccounts(database, accounts, after?.[0], rows_max)),
      count: () => accountSearch.countAccounts(database, accounts, counted_max),
      getPlace: ({ login_name }): readonly [login_name: string] => [login_name],
      toItem: toWire,
    });
  },
});

type ByName = accountSearch.AccountRow & { readonly name: string };

/** Merges members and other users by name. The names of members are stored with the members. */
async function listByName(
  db: Reader,
  start: string,
  after: NamePlace | undefined,
  limit: number,
): Promise<readonly ByName[]> {
  const [members, others] = await Promise.all([
    listMembersByName(db, start, after, limit),
    accountSearch.listAccountsByName(db, start, after, limit),
  ]);
  const names = new Map(members.map(({ id, name }) => [id, name]));
  const accounts = members.length > 0 ? await accountSearch.listAccountsOfMembers(db, [...names.keys()]) : [];
  const named = accounts.map((account) => ({ ...account, name: names.get(account.member_id ?? '') ?? '' }));
  return [...named, ...others].toSorted(compareByName).slice(0, limit);
}

function compareByName(one: ByName, other: ByName): number {
  return (
    compareCodePoints(one.name, other.name) ||
    compareCodePoints(one.member_id ?? one.id, other.member_id ?? other.id)
  );
}

async function countByName(db: Reader, start: string): Promise<number> {
  const counts = await Promise.all([
    countMembersByName(db, start, counted_max),
    accountSearch.countAccountsByName(db, start, counted_max),
  ]);
  return Math.min(counted_max, counts[0] + counts[1]);
}
