import * as matching from '#modules/matching/matches';
import * as reads from '#modules/income/reads';
import { createFieldRefusal } from '#lib/refusal.ts';
import { renderTicks } from '../parts/disclosure.ts';
import { buildDataTypeField } from '../parts/fields.ts';
import { renderForm } from '../parts/form.ts';
import { html } from '../serving/html.ts';
import { goTo, showNarrow, type Page, type Visit } from '../serving/page.ts';

/** A member offers a read of their data to the organisation of a match. */
export const proposeReadPage: Page = {
  show: async (visit) => {
    const match_id = visit.params['match_id'] ?? '';
    const { proposal: words, consent } = visit.texts;
    const job = await visit.call(matching.readMatchJob, { match_id });
    const content = html`${renderTicks(words.facts)}
    ${renderForm(visit, {
      button: words.button,
      fields: [
        buildDataTypeField(words.choice, (type) => consent.categories[type].title),
        { name: 'price_aud', label: words.price, hint: words.priceHint, maxlength: 12 },
      ],
      after: html`<a href="/app/matches/${match_id}">${words.cancel}</a>`,
    })}`;
    const head = { title: words.title, lead: words.lead(job.organisation.name) };
    return showNarrow(head, content, { back: [`/app/matches/${match_id}`, job.title] });
  },
  actions: {
    send: async (visit, { data_type = '', price_aud = '' }) => {
      const { org_id } = await visit.call(matching.readMatch, { match_id: visit.params['match_id'] ?? '' });
      await visit.call(reads.createMarketplaceRead, {
        member_id: getMember(visit),
        org_id,
        // The operation refuses what is no data type.
        data_type: data_type as reads.DataType,
        price_aud: readPrice(visit, price_aud),
      });
      return goTo('/app/income/transactions', 'transactionRecorded');
    },
  },
};

function getMember({ caller }: Visit): string {
  return caller.role === 'member' ? caller.member_id : '';
}

/** Reads an amount as people write it, with a point or a comma. */
function readPrice({ texts }: Visit, text: string): number {
  const plain = text.trim().replace(',', '.');
  if (!/^\d{1,4}(\.\d{1,6})?$/.test(plain))
    throw createFieldRefusal('field_invalid', '/price_aud', texts.proposal.priceWrong);
  return Number(plain);
}
