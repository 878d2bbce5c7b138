import type { LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { findOrganisation } from '#modules/organisations/orgs';
import type { Reader } from '#platform/database/database.ts';
import { hasSsoTier } from './rules.ts';

/**
 * Checks that the caller belongs to the organisation and that its tier includes single sign-on. For other callers, the organisation does
 * not exist.
 *
 * @throws Refusal `organisation_not_found`, `organisation_tier_too_low`.
 */
export async function requireSsoAccess(
  db: Reader,
  caller: Extract<LoggedInCaller, { readonly org_id: string }>,
  org_id: string,
): Promise<void> {
  const organisation = caller.org_id === org_id ? await findOrganisation(db, org_id) : undefined;
  if (!organisation) throw new Refusal('organisation_not_found');
  if (!hasSsoTier(organisation.tier)) throw new Refusal('organisation_tier_too_low');
}
