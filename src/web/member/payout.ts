import * as books from '#modules/income/books';
import { createFieldRefusal } from '#lib/refusal.ts';
import { requireRecent } from '../account/require-recent.ts';
import { renderTicks } from '../parts/disclosure.ts';
import { renderForm } from '../parts/form.ts';
import { html } from '../serving/html.ts';
import { goTo, showNarrow, type Page } from '../serving/page.ts';

/** Requests a payout of available income. */
export const payoutPage: Page = {
  show: async (visit) => {
    requireRecent(visit);
    const { payout: words, forms } = visit.texts;
    const { available_amount, currency } = await visit.call(books.readEarnings);
    const content = html`${
      available_amount > 0
        ? html`${renderTicks(words.consequences)}
          ${renderForm(visit, {
            button: words.button,
            fields: [
              {
                name: 'destination',
                label: words.destination,
                hint: words.destinationHint,
                maxlength: 42,
              },
              {
                name: 'amount',
                label: words.amount,
                hint: words.amountHint,
                optional: true,
                maxlength: 20,
              },
            ],
            after: html`<a href="/app/income">${forms.cancel}</a>`,
          })}`
        : html`<p>${words.nothing}</p>`
    }`;
    return showNarrow(
      { title: words.title, lead: words.available(visit.format.formatAmount(available_amount, currency)) },
      content,
      { back: ['/app/income', words.back] },
    );
  },
  actions: {
    send: async (visit, { destination = '', amount = '' }) => {
      await visit.call(books.requestPayout, {
        destination: destination.trim(),
        ...(amount.trim() !== '' && { amount: readAmount(amount.trim(), visit.texts.payout.amountWrong) }),
      });
      return goTo('/app/income', 'payoutRequested');
    },
  },
};

/** @throws Refusal `field_invalid` for what is no amount. */
function readAmount(text: string, reason: string): number {
  if (!/^\d{1,9}(?:\.\d{1,6})?$/.test(text)) throw createFieldRefusal('field_invalid', '/amount', reason);
  return Number(text);
}
