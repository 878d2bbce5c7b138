import * as reads from '#modules/income/reads';
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
import { formatPseudonym } from './reads.ts';

/** Reads the identity data of a person in a shortlist: from the free reads by a button, and with an explanation of how to pay otherwise. */
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
            ${free_reads_left > 0 ? renderFree(visit, free_reads_left) : renderPaid(visit, member_id)}`,
    );
  },
  actions: {
    send: async (visit, { data_type = '' }) => {
      const read = await visit.call(reads.createRead, {
        member_id: visit.query['member_id'] ?? '',
        // The operation refuses what is no data type.
        data_type: data_type as reads.DataType,
      });
      return showRead(visit, read);
    },
  },
};

function showReading({ texts }: Visit, title: string, content: Html): View {
  return showNarrow({ title }, content, { back: ['/app/reads', texts.reads.back] });
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

function renderPaid({ texts: { newRead: words, reads: readTexts }, format }: Visit, member_id: string): Html {
  return html`<p class="message">${words.noneLeft}</p>
    <ul>
      ${reads.dataTypes.map((type) => html`<li>${words.basePrice(words.shows[type], format.formatAmount(reads.readBasePrice(type), 'USD'))}</li>`)}
    </ul>
    <p>${words.priceNote}</p>
    <p>${words.howToPay}</p>
    ${renderFacts([
      [words.request, html`<code>POST /orgs/queries/credential</code>`],
      [words.memberId, html`<code>${member_id}</code>`],
    ])}
    <p>${words.guide} <a href="/docs">${readTexts.toDocs}</a></p>`;
}

type Read = OperationBody<typeof reads.createRead>;

/** Shows what was read. It exists only in the reply to the form. */
export async function showRead(visit: Visit, { data, query_metadata }: Read): Promise<View> {
  const { newRead: words, reads: readTexts } = visit.texts;
  return showReading(
    visit,
    words.done,
    html`<p class="lead" role="status">
        ${words.doneLead(readTexts.person(formatPseudonym(data.member_pseudonym)))} ${words.once}
      </p>
      ${renderFacts(await listReadFacts(visit, data))}
      <p class="quiet">
        ${words.leftToday(visit.format.formatNumber(query_metadata.remaining_daily_queries))}
      </p>`,
  );
}
