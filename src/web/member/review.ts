import * as consent from '#modules/people/consent';
import * as matches from '#modules/matching/matches';
import * as reviews from '#modules/matching/reviews';
import type { OperationBody } from '#platform/operation.ts';
import { renderFacts } from '../parts/facts.ts';
import { renderForm } from '../parts/form.ts';
import { renderTicks } from '../parts/disclosure.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, sendForm, showView, type Page, type Visit } from '../serving/page.ts';

/** What a member can do about one match: ask a person of the organisation to look at it, and read the answer. */
export const reviewPage: Page = {
  show: async (visit) => {
    const match_id = visit.params['match_id'] ?? '';
    const { review: words } = visit.texts;
    const [job, { data }, { consents }] = await Promise.all([
      visit.call(matches.readMatchJob, { match_id }),
      visit.call(reviews.listReviews, { match_id }),
      visit.call(consent.readConsent),
    ]);
    const isMatched = consents.some(({ consent_type, granted }) => consent_type === 'matching' && granted);
    const open = data.find(({ status }) => status === 'open');
    const closed = data.filter(({ status }) => status !== 'open').toReversed();
    const content = html`<div class="reading">
      <p class="back"><a href="/app/matches/${match_id}">${job.title}</a></p>
      <h1>${words.title}</h1>
      <p class="lead">${words.lead(job.organisation.name)}</p>
      ${open ? renderOpen(visit, open) : isMatched ? renderQuestion(visit, data.length) : html`<p class="message">${words.optedOut}</p>`}
      ${closed.length > 0 && html`<h2>${words.earlier}</h2>`}
      ${closed.map((review) => renderClosed(visit, review))}
      <p class="quiet"><a href="/app/rights">${words.otherRights}</a></p>
    </div>`;
    return showView({ title: words.title, layout: 'app', content });
  },
  actions: {
    ask: async ({ call, params }, { reason = '' }) => {
      const match_id = params['match_id'] ?? '';
      await call(reviews.requestReview, { match_id, reason: reason.trim() || null });
      return goTo(`/app/matches/${match_id}/review`, 'reviewRequested');
    },
    withdraw: sendForm(reviews.withdrawReview, '/app/matches/{match_id}/review', 'reviewWithdrawn'),
  },
};

type Review = OperationBody<typeof reviews.listReviews>['data'][number];

const reviews_max = 3;

function renderQuestion(visit: Visit, asked: number): Html {
  const { review: words } = visit.texts;
  if (asked >= reviews_max) return html`<p class="message">${words.noMore}</p>`;
  return html`<section class="panel">
    <h2>${words.ask}</h2>
    ${renderTicks(words.facts)}
    ${renderForm(visit, {
      action: 'ask',
      button: words.askButton,
      fields: [
        {
          name: 'reason',
          label: words.reason,
          hint: words.reasonHint,
          lines: 4,
          maxlength: 1000,
          optional: true,
        },
      ],
    })}
  </section>`;
}

function renderOpen(visit: Visit, { requested_on, due_on, is_overdue, reason }: Review): Html {
  const { texts, format } = visit;
  const { review: words } = texts;
  return html`<section class="panel">
    <h2>${words.open}</h2>
    ${is_overdue && html`<p class="message bad">${words.overdue(format.formatDate(due_on))}</p>`}
    ${renderFacts([
      [words.requested_on, format.formatDate(requested_on)],
      [words.due_on, format.formatDate(due_on)],
      [words.reason, reason],
    ])}
    ${renderForm(visit, { action: 'withdraw', button: words.withdraw, look: 'quiet' })}
  </section>`;
}

function renderClosed({ texts, format }: Visit, review: Review): Html {
  const { review: words } = texts;
  const { status, outcome, closed_on, reason, answer } = review;
  return html`<section class="panel">
    <h3>${outcome === null ? words.statuses[status] : words.outcomes[outcome]}</h3>
    ${renderFacts([
      [words.requested_on, format.formatDate(review.requested_on)],
      [words.closed_on, closed_on && format.formatDate(closed_on)],
      [words.reason, reason],
      [words.answer, answer],
    ])}
  </section>`;
}
