import { LRUCache } from 'lru-cache';
import { orgRoles, type LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { listAdministrators } from '#modules/access/accounts';
import type { Reader } from '#platform/database/database.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Memory } from '#platform/platform.ts';

/** Organisations that had a verified administrator within the last minute, so that most requests need no statement for it. */
const getVerifiedOrganisations = instanceMemory(
  () => new LRUCache<string, true>({ max: 10_000, ttl: 60_000 }),
);

/**
 * Checks that the organisation for which the caller acts has an active administrator with a verified email address. Other callers pass.
 *
 * @throws Refusal `email_not_verified`.
 */
export async function checkVerifiedAdmin(services: {
  readonly caller: LoggedInCaller;
  readonly database: Reader;
  readonly memory: Memory;
}): Promise<void> {
  const { caller, database } = services;
  if (!isOrganisationUser(caller)) return;
  const verified = getVerifiedOrganisations(services);
  if (verified.has(caller.org_id)) return;
  if ((await listAdministrators(database, caller.org_id, 1)).length > 0) {
    verified.set(caller.org_id, true);
    return;
  }
  throw new Refusal('email_not_verified', {
    detail:
      'Matches are shown to an organisation, and it can read identity data, once one of its administrators has verified the email address. Follow the link that was emailed, or request a new one with POST /auth/resend-verification.',
  });
}

function isOrganisationUser(
  caller: LoggedInCaller,
): caller is Extract<LoggedInCaller, { readonly org_id: string }> {
  return orgRoles.some((role) => role === caller.role);
}
