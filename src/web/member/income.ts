import * as books from '#modules/income/books';
import * as reads from '#modules/income/reads';
import type { OperationBody } from '#platform/operation.ts';
import { renderFacts } from '../parts/facts.ts';
import { formatPrice } from '../parts/format-price.ts';
import { renderMonths } from '../parts/month-chart.ts';
import { buildAddress } from '../parts/next-page.ts';
import { renderTable } from '../parts/table.ts';
import { html, type Html } from '../serving/html.ts';
import { showHeaded, type Page, type Visit } from '../serving/page.ts';

const page_reads = 20;
const offset_max = 100_000;
const payouts_max = 20;

/** What the member has earned, who read what and when, the payouts, and what sets the price. */
export const incomePage: Page = {
  show: async (visit) => {
    const offset = readOffset(visit.query['offset']);
    const [income, summary, history, payouts, legibility] = await Promise.all([
      visit.call(books.readEarnings),
      visit.call(books.readSummary),
      visit.call(books.listHistory, { limit: page_reads, offset }),
      visit.call(books.listPayouts, { limit: payouts_max }),
      visit.call(reads.readLegibility),
    ]);
    const { income: words } = visit.texts;
    const content = html`${renderFigures(visit, income)} ${renderMonthly(visit, summary)}
    ${renderCategories(visit, summary)} ${renderHistory(visit, history)} ${renderPayouts(visit, payouts)}
    ${renderLegibility(visit, legibility)}`;
    return showHeaded(words, content);
  },
};

/** An offset that is no number of reads counts as none. */
function readOffset(text: string | undefined): number {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Math.min(Number(text), offset_max) : 0;
}

function renderFigures(visit: Visit, income: OperationBody<typeof books.readEarnings>): Html {
  const { income: words } = visit.texts;
  const { formatNumber, formatAmount } = visit.format;
  const figures = [
    ['pending', income.pending_amount],
    ['available', income.available_amount],
    ['in_payout', income.in_payout_amount],
    ['paid_out', income.paid_out_amount],
  ] as const;
  return html`<section class="group">
    <dl class="figures">
      ${figures.map(
        ([figure, amount]) =>
          html`<div>
            <dt>${words.figures[figure]}</dt>
            <dd>
              <strong>${formatAmount(amount, income.currency)}</strong>
              <span class="quiet small">${words.figureNotes[amount < 0 ? 'owed' : figure]}</span>
            </dd>
          </div>`,
      )}
    </dl>
    <p>${renderTotal(visit, income)}</p>
    ${income.recognition_count > 0 && html`<p class="quiet">${words.recognition(formatNumber(income.recognition_count), income.recognition_count)}</p>`}
    ${income.available_amount > 0 && renderPayoutLink(visit)}
    <p><a href="/app/income/transactions">${visit.texts.ownTransactions.link}</a></p>
  </section>`;
}

/** What has been earned in all, and by how many organisations. */
function renderTotal(
  { texts, format }: Visit,
  {
    total_earned,
    currency,
    transaction_count,
    unique_organisations,
  }: OperationBody<typeof books.readEarnings>,
): string {
  const { income: words } = texts;
  const organisations =
    unique_organisations === 0
      ? ''
      : words.organisations(format.formatNumber(unique_organisations), unique_organisations);
  if (transaction_count === 0) return organisations || words.nothing;
  const amount = format.formatAmount(total_earned, currency);
  return `${words.total(amount, format.formatNumber(transaction_count), transaction_count)} ${organisations}`;
}

function renderPayoutLink({ texts }: Visit): Html {
  return html`<p class="buttons"><a class="button" href="/app/income/payout">${texts.payout.link}</a></p>`;
}

type Summary = OperationBody<typeof books.readSummary>;

function renderMonthly(visit: Visit, { monthly, currency }: Summary): Html | undefined {
  const { income: words } = visit.texts;
  return renderMonths(visit, {
    title: words.monthsTitle,
    summarise: words.monthsSummary,
    name: words.earned,
    columns: [words.month, words.reads, words.amount],
    currency,
    months: monthly.map(({ month, transaction_count, earned }) => ({
      month,
      counts: [transaction_count],
      amount: earned,
    })),
  });
}

function renderCategories(visit: Visit, { top_categories, currency }: Summary): Html | undefined {
  if (top_categories.length === 0) return undefined;
  const { income: words, consent } = visit.texts;
  return html`<section class="group">
    <h2>${words.categoriesTitle}</h2>
    ${renderTable(
      words.categoriesTitle,
      [words.category, words.reads, words.amount],
      top_categories.map((each) => [
        consent.categories[each.category].title,
        visit.format.formatNumber(each.transaction_count),
        visit.format.formatAmount(each.earned, currency),
      ]),
    )}
  </section>`;
}

function renderHistory(visit: Visit, { data, pagination }: OperationBody<typeof books.listHistory>): Html {
  const { income: words, consent } = visit.texts;
  const { formatAmount, formatTime } = visit.format;
  const { offset, has_more } = pagination;
  return html`<section class="group" id="reads">
    <h2>${words.historyTitle}</h2>
    ${data.length === 0 && html`<p class="quiet">${words.historyEmpty}</p>`}
    <ul class="history">
      ${data.map(
        (read) =>
          html`<li>
            <span>
              ${words.row(read.organisation_name || words.unknownOrganisation, consent.categories[read.data_type].title)}
              <span class="tag ${read.status !== 'settled' && 'plain'}">${words.statuses[read.status]}</span>
            </span>
            <span class="quiet small">
              ${read.price > 0 && html`${words.paid(formatPrice(visit, read), formatAmount(read.earned, 'USD'))}, `}
              ${formatTime(read.created_at)},
              <a
                href="/app/income/reads/${read.id}/receipt"
                aria-label="${words.receiptOf(formatTime(read.created_at))}"
                download
                >${words.receipt}</a
              >
            </span>
          </li>`,
      )}
    </ul>
    ${offset > 0 && html`<p><a href="/app/income#reads">${words.newest}</a></p>`}
    ${has_more && html`<p><a href="${buildAddress('/app/income', { offset: String(offset + page_reads) })}#reads">${words.older}</a></p>`}
  </section>`;
}

function renderPayouts(visit: Visit, { data }: OperationBody<typeof books.listPayouts>): Html {
  const { income: words } = visit.texts;
  return html`<section class="group">
    <h2>${words.payoutsTitle}</h2>
    ${data.length === 0 && html`<p class="quiet">${words.payoutsEmpty}</p>`}
    <ul class="history">
      ${data.map(
        ({ id, amount, currency, destination, status, requested_at }) =>
          html`<li>
            <span>
              ${words.payout(visit.format.formatAmount(amount, currency), destination)}
              <span class="tag ${status !== 'paid' && 'plain'}">${words.payoutStatuses[status]}</span>
            </span>
            <span class="quiet small">
              ${visit.format.formatTime(requested_at)},
              <a
                href="/app/income/payouts/${id}/receipt"
                aria-label="${words.receiptOf(visit.format.formatTime(requested_at))}"
                download
                >${words.receipt}</a
              >
            </span>
          </li>`,
      )}
    </ul>
  </section>`;
}

function renderLegibility(visit: Visit, legibility: OperationBody<typeof reads.readLegibility>): Html {
  const { income: words } = visit.texts;
  const { formatNumber, formatPercent } = visit.format;
  const parts = (['completeness', 'confidence', 'queryability'] as const).map(
    (part) => [words.parts[part], formatPercent(legibility[part])] as const,
  );
  return html`<section class="group">
    <h2>${words.legibilityTitle}</h2>
    <p>${words.legibilityLead(formatNumber(legibility.earning_multiplier))}</p>
    ${renderFacts(parts)}
    <p class="quiet small">${words.private}</p>
    ${legibility.next_steps.length > 0 && html`<h3>${words.stepsTitle}</h3>`}
    <ul>
      ${legibility.next_steps.map(
        ({ code, multiplier_after }) =>
          html`<li>${words.step(words.steps[code], formatNumber(multiplier_after))}</li>`,
      )}
    </ul>
    <p><a href="/app/consent/identity_queries">${words.toConsent}</a></p>
  </section>`;
}
