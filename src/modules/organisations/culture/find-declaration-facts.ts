import { countActiveOrgUsers } from '#modules/organisations/org-users';
import type { Reader } from '#platform/database/database.ts';
import type { DeclarationFacts } from './rules.ts';
import { findProfile } from './store.ts';

/** Finds what decides whether an organisation may declare a culture profile. */
export async function findDeclarationFacts(db: Reader, org_id: string): Promise<DeclarationFacts> {
  return { users: await countActiveOrgUsers(db, org_id), latest: await findProfile(db, org_id) };
}
