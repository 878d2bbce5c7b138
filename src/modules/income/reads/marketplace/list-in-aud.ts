import type { Micros } from '#lib/money.ts';
import { listOnMarketplace, type MarketplaceRead } from '#modules/income/books';
import type { SettledPayment } from '#modules/income/payments';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { convertToAud, convertToUsd, type WantedRead } from '../rules.ts';

/** A paid read to list: the id by which the organisation named the member, and what it offered in Australian dollars, if that is known. */
type Listing = { readonly shown_member_id: string; readonly offer_aud?: Micros };

/** Lists a paid read on the marketplace, with its price in Australian dollars and the rate by which it corresponds to the one in US dollars. */
export function listInAud(
  { config, now }: Pick<Services, 'config' | 'now'>,
  tx: Transaction,
  { member_id }: Pick<WantedRead, 'member_id'>,
  { shown_member_id, offer_aud }: Listing,
  payment: Pick<SettledPayment, 'payment_id' | 'amount' | 'price_aud'> | null,
): Promise<MarketplaceRead> {
  if (payment === null) throw new Error('a read on the marketplace was free');
  const { payment_id, amount, price_aud } = payment;
  const rate = config.aud_per_usd_micros;
  return listOnMarketplace(
    tx,
    { member_id, payment_id },
    {
      shown_member_id,
      price_aud_micros: Number(price_aud ?? chooseAgreed(offer_aud, amount, rate)),
      aud_per_usd_micros: Number(rate),
      rate_at: now(),
    },
  );
}

/** What was agreed: the offer if its worth was paid, because an amount in US dollars does not always convert back to it; else the worth of what was paid. */
function chooseAgreed(offer_aud: Micros | undefined, amount: Micros, rate: Micros): Micros {
  if (offer_aud !== undefined && convertToUsd(offer_aud, rate) === amount) return offer_aud;
  return convertToAud(amount, rate);
}
