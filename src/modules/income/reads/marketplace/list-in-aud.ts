import { listOnMarketplace, type MarketplaceRead } from '#modules/income/books';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { convertToAud, type WantedRead } from '../rules.ts';

/** Lists a paid read on the marketplace, with its price in Australian dollars and the rate by which it corresponds to the one in US dollars. */
export function listInAud(
  { config, now }: Pick<Services, 'config' | 'now'>,
  tx: Transaction,
  { member_id }: Pick<WantedRead, 'member_id'>,
  shown_member_id: string,
  payment: { readonly payment_id: string; readonly amount: bigint } | null,
): Promise<MarketplaceRead> {
  if (payment === null) throw new Error('a read on the marketplace was free');
  const { payment_id, amount } = payment;
  const rate = config.aud_per_usd_micros;
  return listOnMarketplace(
    tx,
    { member_id, payment_id },
    {
      shown_member_id,
      price_aud_micros: Number(convertToAud(amount, rate)),
      aud_per_usd_micros: Number(rate),
      rate_at: now(),
    },
  );
}
