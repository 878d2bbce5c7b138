import { createFieldRefusal, Refusal, requireFound } from '#lib/refusal.ts';
import { lockOrganisation } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { findVoucher, type Voucher } from '../open-offer.ts';
import { checkOfferTime, offerLimits } from '../rules.ts';
import { findOfferTime } from '../store.ts';

/**
 * Locks the organisation of the caller, so that requests at the same time count each other, and checks that it may vouch for this many people.
 *
 * @returns how it is named in what it vouches for.
 * @throws Refusal `proven_domain_required`, `offer_limit_reached`.
 */
export async function checkStanding(
  context: Pick<Context<'org_admin'>, 'caller' | 'config' | 'now'>,
  tx: Transaction,
  count: number,
): Promise<Voucher> {
  const { org_id } = context.caller;
  const { tier } = requireFound(await lockOrganisation(tx, org_id), 'organisation_not_found');
  const voucher = await findVoucher(context, tx, org_id);
  if (!voucher) throw new Refusal('proven_domain_required');
  if (!context.config.rateLimits || count === 0) return voucher;
  const limit = offerLimits[tier];
  if (count > limit)
    throw createFieldRefusal(
      'field_invalid',
      '/csv',
      `has ${count} rows, and the tier ${tier} allows ${limit} offers in 24 hours`,
    );
  checkOfferTime(tier, await findOfferTime(tx, org_id, limit - count + 1), context.now());
  return voucher;
}
