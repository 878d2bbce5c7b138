import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/audit';
import type { Platform } from '#platform/platform.ts';
import { organisationTiers } from './rules.ts';
import { updateTier } from './store.ts';

/**
 * Sets an organisation's tier. Only the operator can, because tiers are agreed outside the service.
 *
 * @throws Refusal `field_invalid` for a tier that does not exist, `organisation_not_found`.
 */
export async function setTier(
  { now, database }: Platform,
  input: Readonly<Record<string, string>>,
): Promise<{ readonly org_id: string; readonly tier: string }> {
  const tier = organisationTiers.find((each) => each === input['tier']);
  if (!tier)
    throw createFieldRefusal('field_invalid', '/tier', `must be one of ${organisationTiers.join(', ')}`);
  const org_id = await database.transaction(async (tx) => {
    const organisation = await updateTier(tx, { id: input['org'] ?? '', tier });
    if (!organisation) throw new Refusal('organisation_not_found');
    const org_id = organisation.id;
    await recordAudit(tx, {
      now: now(),
      actor: null,
      action: 'orgs.tier_set',
      org_id,
      detail: { tier },
    });
    return org_id;
  });
  return { org_id, tier };
}
