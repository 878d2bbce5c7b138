import type { Visit } from '../serving/page.ts';

/** The price of a read in US dollars, and what was agreed for it in Australian dollars on the marketplace. */
type Price = { readonly price: number; readonly price_aud: number | null };

/** Formats what was agreed or is asked for a transaction of the marketplace, and what was paid. */
export function formatAsked(
  visit: Visit,
  { price_aud, price_usd }: { readonly price_aud: number; readonly price_usd: number | null },
): string {
  return price_usd === null
    ? visit.format.formatAmount(price_aud, 'AUD')
    : formatPrice(visit, { price: price_usd, price_aud });
}

/** Formats the price of a read as it was agreed, and as it was paid. */
export function formatPrice({ texts, format }: Visit, { price, price_aud }: Price): string {
  const paid = format.formatAmount(price, 'USD');
  return price_aud === null ? paid : texts.marketplace.agreed(format.formatAmount(price_aud, 'AUD'), paid);
}
