import type { LoggedInCaller } from '#lib/caller.ts';
import { Refusal, requireFound } from '#lib/refusal.ts';
import { findOrganisation } from '#modules/organisations/orgs';
import type { Reader } from '#platform/database/database.ts';

type OrganisationReader = Exclude<LoggedInCaller, { role: 'member' }>;

/**
 * Checks that a caller may read about an organisation: its own users may, and platform administrators about every one. For all others, it
 * does not exist. @returns its name.
 *
 * @throws Refusal `organisation_not_found`.
 */
export async function checkOrganisation(
  db: Reader,
  caller: OrganisationReader,
  org_id: string,
): Promise<string> {
  if (caller.role !== 'platform_admin' && caller.org_id !== org_id)
    throw new Refusal('organisation_not_found');
  const organisation = requireFound(await findOrganisation(db, org_id), 'organisation_not_found');
  return organisation.name;
}
