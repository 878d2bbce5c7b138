import * as offers from '#modules/credentials/offers';
import type { OperationBody } from '#platform/operation.ts';
import { renderDisclosure } from '../../parts/disclosure.ts';
import { renderFacts, type Fact } from '../../parts/facts.ts';
import { renderForm } from '../../parts/form.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, type Action, type Visit } from '../../serving/page.ts';
import { nameCredential, renderAlignments } from './credential-facts.ts';

export type Offer = OperationBody<typeof offers.listOffers>['data'][number];

const offers_max = 100;

/** Renders what was offered to the member: what waits for an answer first, and what has ended in a fold. */
export async function renderOffers(visit: Visit): Promise<Html | undefined> {
  const { data } = await visit.call(offers.listOffers, { limit: offers_max });
  if (data.length === 0) return undefined;
  const { offers: texts } = visit.texts;
  const open = data.filter(({ status }) => status === 'open');
  const waiting = data.filter(({ status }) => status === 'waiting');
  const ended = data.filter(({ status }) => !['open', 'waiting', 'accepted'].includes(status));
  return html`${
    open.length > 0 &&
    html`<section class="group" aria-labelledby="offers">
      <h2 id="offers">${texts.open}</h2>
      ${open.map((offer) => renderOffer(visit, offer))}
    </section>`
  }
  ${
    waiting.length > 0 &&
    html`<section class="group">
      <h2>${texts.waiting}</h2>
      <p class="quiet">${texts.waitingLead}</p>
      ${waiting.map((offer) => renderOffer(visit, offer))}
    </section>`
  }
  ${ended.length > 0 && renderEnded(visit, ended)}`;
}

/** One press accepts. What an organisation says can also be disputed. */
function renderOffer(visit: Visit, offer: Offer): Html {
  const { offers: texts, format } = { offers: visit.texts.offers, format: visit.format };
  const { id, status, claims, opens_at, closes_at } = offer;
  const title = nameCredential(visit, offer);
  return html`<section class="panel reading" aria-labelledby="${`offer-${id}`}">
    ${claims.achievement_image !== undefined && html`<img class="badge-image" src="${new URL(claims.achievement_image).pathname}" alt="" width="96" height="96" />`}
    <h3 id="${`offer-${id}`}">${title}</h3>
    <p>
      <span class="tag plain"
        >${status === 'open' ? texts.until(format.formatDate(closes_at)) : texts.from(format.formatDate(opens_at))}</span
      >
    </p>
    ${renderFacts(listOfferFacts(visit, offer), 'facts says')}
    ${
      status === 'open' &&
      html`<div class="buttons choices">
        ${renderForm(visit, { action: 'accept', button: texts.accept, button_label: texts.acceptLabel(title), hidden: { offer_id: id } })}
        ${renderForm(visit, { action: 'decline', button: texts.decline, button_label: texts.declineLabel(title), look: 'quiet', hidden: { offer_id: id } })}
      </div>`
    }
    ${claims.organisation_name !== undefined && renderDispute(visit, id)}
  </section>`;
}

function renderDispute(visit: Visit, offer_id: string): Html {
  const { offers: texts } = visit.texts;
  const isOpen = visit.form.action === 'dispute' && visit.form.values['offer_id'] === offer_id;
  const form = renderForm(visit, {
    action: 'dispute',
    button: texts.disputeButton,
    look: 'quiet',
    hidden: { offer_id },
    fields: [
      {
        name: 'reason',
        id: `reason-${offer_id}`,
        label: texts.disputeReason,
        hint: texts.disputeHint,
        lines: 3,
        maxlength: 500,
      },
    ],
  });
  return renderDisclosure(texts.dispute, form, isOpen);
}

function renderEnded(visit: Visit, ended: readonly Offer[]): Html {
  const { offers: texts } = visit.texts;
  const list = html`<ul class="list stacked">
    ${ended.map(
      (offer) =>
        html`<li>
          <strong>${nameCredential(visit, offer)}</strong>
          <span>${texts.statuses[offer.status]}</span>
          ${offer.reason !== null && html`<span class="quiet">${offer.reason}</span>`}
        </li>`,
    )}
  </ul>`;
  return renderDisclosure(texts.ended, list, false);
}

/** What a credential would say, and who vouches for it by which domain. */
function listOfferFacts({ texts, format }: Visit, { claims, expiry_days }: Offer): readonly Fact[] {
  const { credential, offers: words } = texts;
  const { organisation_name, organisation_domain } = claims;
  const formatDay = (value: string | undefined) => value && format.formatDate(value);
  return [
    [credential.voucher, organisation_name ?? words.service],
    [credential.claims.organisation_domain, organisation_domain],
    [credential.claims.job_title, claims.job_title],
    [credential.claims.statement, claims.statement],
    [credential.claims.placed_on, formatDay(claims.placed_on)],
    [credential.claims.ended_on, formatDay(claims.ended_on)],
    [credential.claims.achievement_criteria, claims.achievement_criteria],
    [
      credential.claims.achievement_alignment,
      claims.achievement_alignment && renderAlignments(claims.achievement_alignment),
    ],
    [credential.claims.assessment_completed_on, formatDay(claims.assessment_completed_on)],
    [
      credential.claims.trait_coverage,
      claims.trait_coverage && credential.coverage(format.formatPercent(claims.trait_coverage)),
    ],
    [
      credential.claims.archetype_family,
      claims.archetype_family &&
        texts.archetype.families[claims.archetype_family as keyof typeof texts.archetype.families],
    ],
    [
      credential.claims.archetype_certainty,
      claims.archetype_certainty && credential.certainties[claims.archetype_certainty],
    ],
    [words.validity, formatValidity(words, expiry_days, format.formatNumber)],
  ];
}

function formatValidity(
  words: Visit['texts']['offers'],
  days: number,
  formatNumber: (value: number) => string,
): string {
  if (days % days_a_year > 0) return words.days(formatNumber(days));
  return days === days_a_year ? words.year : words.years(formatNumber(days / days_a_year));
}

const days_a_year = 365;

/** Counts the offers that wait for an answer. */
export async function countOpenOffers({ call }: Visit): Promise<number> {
  const { pagination } = await call(offers.listOffers, { status: 'open', limit: 1 });
  return pagination.total_count;
}

export const offerActions = {
  accept: async (visit, { offer_id = '' }) => {
    const { credential_id } = await visit.call(offers.answerOffer, { offer_id, decision: 'accept' });
    return goTo(`/app/credentials/${credential_id ?? ''}`, 'offerAccepted');
  },
  decline: async (visit, { offer_id = '' }) => {
    await visit.call(offers.answerOffer, { offer_id, decision: 'decline' });
    return goTo('/app/credentials', 'offerDeclined');
  },
  dispute: async (visit, { offer_id = '', reason = '' }) => {
    await visit.call(offers.answerOffer, { offer_id, decision: 'dispute', reason: reason.trim() });
    return goTo('/app/credentials', 'offerDisputed');
  },
} as const satisfies Readonly<Record<string, Action>>;
