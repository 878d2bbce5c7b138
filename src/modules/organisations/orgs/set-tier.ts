import { createFieldRefusal, requireFound } from '#lib/refusal.ts';
import { recordAudit, type NewAuditEntry } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import type { Platform, Services } from '#platform/platform.ts';
import { organisationTiers, type OrganisationTier } from './resource.ts';
import { updateTier } from './store.ts';

/**
 * Sets an organisation's tier. Only the operator can, because tiers are agreed outside the service.
 *
 * @throws Refusal `field_invalid` for a tier that does not exist, `organisation_not_found`.
 */
export async function setTier(
  platform: Platform,
  input: Readonly<Record<string, string>>,
): Promise<{ readonly org_id: string; readonly tier: string }> {
  const tier = organisationTiers.find((each) => each === input['tier']);
  if (!tier)
    throw createFieldRefusal('field_invalid', '/tier', `must be one of ${organisationTiers.join(', ')}`);
  const org_id = await platform.database.transaction((tx) =>
    recordTier(platform, tx, { org_id: input['org'] ?? '', tier, actor: null }),
  );
  return { org_id, tier };
}

/** Sets a tier and records who did. @returns the id of the organisation. @throws Refusal `organisation_not_found`. */
export async function recordTier(
  { now: readClock }: Pick<Services, 'now'>,
  tx: Transaction,
  {
    org_id: id,
    tier,
    actor,
  }: {
    readonly org_id: string;
    readonly tier: OrganisationTier;
    readonly actor: NewAuditEntry['actor'];
  },
): Promise<string> {
  const now = readClock();
  const organisation = requireFound(await updateTier(tx, { id, tier, now }), 'organisation_not_found');
  const org_id = organisation.id;
  await recordAudit(tx, { now, actor, action: 'orgs.tier_set', org_id, detail: { tier } });
  return org_id;
}
