import * as reads from '#modules/income/reads';
import { renderTable } from '../parts/table.ts';
import { html } from '../serving/html.ts';
import { showHeaded, type Page } from '../serving/page.ts';

/** What reads cost, what of it is the person's, and what is free, as this installation is configured. */
export const pricesPage: Page = {
  show: async ({ call, texts: { prices: texts }, format }) => {
    const prices = await call(reads.readPrices);
    const { formatAmount, formatNumber, formatDuration } = format;
    const formatDollars = (amount: number) => formatAmount(amount, 'USD');
    const { multiplier_min, multiplier_max, price_min, price_max, payout_hold_seconds } = prices;
    const least = formatDollars(prices.payout_minimum);
    const content = html`${!prices.takes_money && html`<p class="message">${texts.mock}</p>`}
      <section class="group">
        <h2>${texts.readsTitle}</h2>
        ${renderTable(
          texts.readsTitle,
          [texts.kind, texts.base, texts.person, texts.from, texts.to],
          prices.reads.map(({ data_type, base_price, member_share, price_from, price_to }) => [
            texts.kinds[data_type],
            formatDollars(base_price),
            formatDollars(member_share),
            formatDollars(price_from),
            formatDollars(price_to),
          ]),
        )}
        <p class="quiet">
          ${texts.rule(formatNumber(multiplier_min), formatNumber(multiplier_max), formatDollars(price_min), formatDollars(price_max))}
        </p>
        <p class="quiet">${texts.asked}</p>
      </section>
      <section class="group">
        <h2>${texts.freeTitle}</h2>
        <p>${texts.freeLead}</p>
        ${renderTable(
          texts.freeTitle,
          [texts.tier, texts.free, texts.daily],
          prices.organisations.map(({ tier, free_reads, daily_reads }) => [
            `${tier[0]!.toUpperCase()}${tier.slice(1)}`,
            formatNumber(free_reads),
            formatNumber(daily_reads),
          ]),
        )}
      </section>
      <section class="group">
        <h2>${texts.payoutTitle}</h2>
        <p>
          ${payout_hold_seconds === 0 ? texts.payoutAtOnce(least) : texts.payout(formatDuration(payout_hold_seconds), least)}
        </p>
      </section>
      <section class="group">
        <h2>${texts.elseTitle}</h2>
        <p>${texts.else}</p>
      </section>`;
    const head = { title: texts.title, lead: texts.lead(formatNumber(prices.member_share_percent)) };
    return showHeaded(head, content, { layout: 'open', description: texts.description });
  },
};
