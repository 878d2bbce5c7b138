import { randomUUID } from 'node:crypto';
import type * as reads from '#modules/income/reads';
import { formatHandle } from '#modules/matching/matches';
import type { Refusal } from '#lib/refusal.ts';
import type { OperationBody } from '#platform/operation.ts';
import { renderTicks } from '../../parts/disclosure.ts';
import { renderFacts } from '../../parts/facts.ts';
import { renderForm } from '../../parts/form.ts';
import { html, type Html } from '../../serving/html.ts';
import { renderWallet, wallet_script } from './pay-by-wallet.ts';
import { showNarrow, type View, type Visit } from '../../serving/page.ts';

/** What is offered: whom and what to read. */
type Wanted = { readonly member_id: string; readonly data_type: reads.DataType };

/** The terms of a reply with status 402. Every one of a read has them. */
type Pricing = {
  readonly price: number;
  readonly share_percent: number;
  readonly data_completeness: OperationBody<typeof reads.createRead>['data']['data_completeness'];
  readonly balance: number | null;
};

/** Shows what a read costs, whose the money is, and how to pay it. It is shown with status 402, so that a form that is sent again asks again. */
export function showOffer(visit: Visit, wanted: Wanted, refusal: Refusal): View {
  const { texts, format } = visit;
  const { newRead: words } = texts;
  const pricing = readPricing(refusal);
  const { price, share_percent } = pricing;
  const amount = format.formatAmount(price, 'USD');
  const share = format.formatAmount((price * share_percent) / 100, 'USD');
  const content = html`<p class="lead">
      ${words.offerLead(formatHandle(texts.shortlist.person, wanted.member_id))}
    </p>
    ${
      refusal.code !== 'payment_required' &&
      html`<p class="message bad" role="alert">${describeRefusal(visit, refusal)}</p>`
    }
    ${renderFacts([
      [words.choice, words.shows[wanted.data_type]],
      [words.price, amount],
      [words.share, words.shareOf(share, format.formatNumber(share_percent))],
      [words.completeness, words.completenessWords[pricing.data_completeness]],
    ])}
    ${renderTicks(words.consequences)} ${renderBalance(visit, wanted, pricing)}
    ${renderWallet(visit, refusal, { data_type: wanted.data_type, amount })}
    <p class="quiet small">${words.byPrograms} <a href="/docs">${texts.reads.toDocs}</a></p>`;
  return {
    ...showNarrow({ title: words.offerTitle }, content, {
      back: [visit.address, words.again],
      script: wallet_script,
    }),
    status: 402,
  };
}

function describeRefusal({ texts }: Visit, { code, message }: Refusal): string {
  const words: Readonly<Partial<Record<string, string>>> = texts.balance.refused;
  return words[code] ?? message;
}

function readPricing({ extras }: Refusal): Pricing {
  // `refuseWithTerms` adds them to each refusal of a payment.
  return (extras.fields as { readonly pricing: Pricing }).pricing;
}

/** The button with the price, or what to do when the balance cannot pay it. */
function renderBalance(visit: Visit, { data_type }: Wanted, { price, balance }: Pricing): Html {
  const { texts, format } = visit;
  const { newRead: words } = texts;
  const [amount, left] = [price, balance ?? 0].map((each) => format.formatAmount(each, 'USD')) as [
    string,
    string,
  ];
  if (balance === null || balance < price)
    return html`<div class="message">
      <p>${words.tooLow(left, amount)}</p>
      <p><a class="button" href="/app/reads/balance">${texts.balance.fill}</a></p>
    </div>`;
  return renderForm(visit, {
    action: 'pay',
    button: words.pay(amount),
    hidden: { data_type, price: String(price), payment_key: `page-${randomUUID()}` },
    before_buttons: html`<p>${words.fromBalance(left)}</p>`,
    after: html`<a href="/app/reads">${words.cancel}</a>`,
  });
}
