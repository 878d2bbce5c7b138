import { listMembers } from '#modules/people/members';
import { listOrganisations } from '#modules/organisations/orgs';
import type { Reader } from '#platform/database/database.ts';
import type { accountSearch } from '#modules/access/accounts';
import type { NamedAccount } from './wire.ts';

/** Adds what other modules know about accounts: names and states of members, and names of organisations. */
export async function nameAccounts<Row extends accountSearch.AccountRow>(
  db: Reader,
  accounts: readonly Row[],
): Promise<(Row & NamedAccount)[]> {
  const member_ids = accounts.flatMap(({ member_id }) => member_id ?? []);
  const org_ids = [...new Set(accounts.flatMap(({ org_id }) => org_id ?? []))];
  const [members, organisations] = await Promise.all([
    member_ids.length > 0 ? listMembers(db, member_ids) : [],
    org_ids.length > 0 ? listOrganisations(db, org_ids) : [],
  ]);
  return accounts.map((account) => ({
    ...account,
    member: members.find(({ id }) => id === account.member_id),
    organisation_name: organisations.find(({ id }) => id === account.org_id)?.name ?? null,
  }));
}
