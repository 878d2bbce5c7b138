import { randomUUID } from 'node:crypto';
import * as books from '#modules/income/books';
import * as reads from '#modules/income/reads';
import { Refusal } from '#lib/refusal.ts';
import type { OperationBody } from '#platform/operation.ts';
import { renderTicks } from '../../parts/disclosure.ts';
import { renderFacts } from '../../parts/facts.ts';
import { buildDataTypeField } from '../../parts/fields.ts';
import { renderForm } from '../../parts/form.ts';
import { listReadFacts } from '../../parts/read-facts.ts';
import { html, type Html } from '../../serving/html.ts';
import { showNarrow, type Page, type View, type Visit } from '../../serving/page.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { formatHandle } from '#modules/matching/matches';
import { parsePayment, renderPending, showUnresolved, wallet_script } from './pay-by-wallet.ts';
import { showOffer } from './read-offer.ts';

/** Reads the identity data of a person in a shortlist: from the free reads by one button, and otherwise for the price on the next one. */
export const newReadPage: Page = {
  show: async (visit) => {
    const { newRead: words } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, words.title);
    const member_id = visit.query['member_id'] ?? '';
    const { free_reads_left } = await visit.call(reads.readAllowance);
    return showReading(
      visit,
      words.title,
      member_id === ''
        ? html`<p class="lead">${words.missing}</p>`
        : html`<p class="lead">${words.lead(formatHandle(visit.texts.shortlist.person, member_id))}</p>
            ${free_reads_left > 0 ? renderFree(visit, free_reads_left) : await renderPaid(visit)}`,
    );
  },
  actions: {
    send: (visit, { data_type = '' }) => readOrOffer(visit, data_type),
    pay: (visit, { data_type = '', payment_key = '', price = '' }) =>
      readOrOffer(visit, data_type, { balance_key: payment_key, max_price: Number(price) }),
    wallet: (visit, fields) => readForWallet(visit, fields),
  },
};

/** Reads, or shows what it costs if it must be paid. */
async function readOrOffer(visit: Visit, data_type: string, payment?: object): Promise<View> {
  // The operation refuses what is no data type.
  const wanted = { member_id: visit.query['member_id'] ?? '', data_type: data_type as reads.DataType };
  try {
    return await showRead(visit, await visit.call(reads.createRead, wanted, payment));
  } catch (error) {
    if (error instanceof Refusal && error.status === 402) return showOffer(visit, wanted, error);
    throw error;
  }
}

const unresolved: ReadonlySet<string> = new Set(['payment_unresolved', 'chain_unavailable']);

/** Reads for a payment that a wallet has signed. While its outcome is not known, the same payment is sent again, and no other is signed. */
async function readForWallet(
  visit: Visit,
  { data_type = '', payment = '' }: Readonly<Record<string, string>>,
): Promise<View> {
  try {
    return await readOrOffer(visit, data_type, parsePayment(payment));
  } catch (error) {
    if (error instanceof Refusal && unresolved.has(error.code))
      return showUnresolved(visit, { data_type, payment });
    throw error;
  }
}

function showReading({ texts }: Visit, title: string, content: Html): View {
  return showNarrow({ title }, content, {
    back: ['/app/reads', texts.reads.back],
    script: wallet_script,
  });
}

function renderFree(visit: Visit, left: number): Html {
  const { newRead: words } = visit.texts;
  return html`${renderTicks(words.consequences)}
  ${renderForm(visit, {
    button: words.button,
    fields: [buildDataTypeField(words.choice, (type) => words.shows[type])],
    before_buttons: html`<p>${words.freeLeft(visit.format.formatNumber(left))}</p>`,
    after: html`<a href="/app/reads">${words.cancel}</a>`,
  })}`;
}

/** The price depends on the person, so the next page has it. */
async function renderPaid(visit: Visit): Promise<Html> {
  const { texts, format } = visit;
  const { newRead: words } = texts;
  const { balance } = await visit.call(books.readBalance);
  const describe = (type: reads.DataType) =>
    words.basePrice(words.shows[type], format.formatAmount(reads.readBasePrice(type), 'USD'));
  return html`${renderPending(visit)}
    <p>${words.noneLeft} ${words.priceNote}</p>
    ${renderTicks(words.consequences)}
    ${renderForm(visit, {
      button: words.seePrice,
      fields: [buildDataTypeField(words.choice, describe)],
      // Two views of this page are two forms, so that a price is never one of an hour ago.
      hidden: { view: randomUUID() },
      before_buttons: html`<p>
        ${words.balance(format.formatAmount(balance, 'USD'))}
        <a href="/app/reads/balance">${texts.balance.fill}</a>
      </p>`,
      after: html`<a href="/app/reads">${words.cancel}</a>`,
    })}`;
}

type Read = OperationBody<typeof reads.createRead>;

/** Shows what was read. It exists only in the reply to the form. */
export async function showRead(visit: Visit, { data, query_metadata }: Read): Promise<View> {
  const { newRead: words, reads: readTexts } = visit.texts;
  return showReading(
    visit,
    words.done,
    html`<p class="lead" role="status" data-wallet-done="${query_metadata.data_type}">
        ${words.doneLead(readTexts.person(reads.formatPseudonym(data.member_pseudonym)))} ${words.once}
      </p>
      ${renderFacts(await listReadFacts(visit, data))}
      <p class="quiet">
        ${words.leftToday(visit.format.formatNumber(query_metadata.remaining_daily_queries))}
      </p>`,
  );
}
