import * as reviews from '#modules/matching/reviews';
import type { OperationBody } from '#platform/operation.ts';
import { renderFacts } from '../../parts/facts.ts';
import { renderForm } from '../../parts/form.ts';
import { renderNextPage } from '../../parts/next-page.ts';
import { readUnlessRefused } from '../../parts/read-unless-refused.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, readCursor, showHeaded, type Page, type Visit } from '../../serving/page.ts';
import { isAdmin } from '../admins-only.ts';
import { renderVerification } from '../unverified.ts';

const open_max = 100;
const page_reviews = 20;

/** The human reviews that members have asked for: those that wait for an answer, and all of them. */
export const reviewsPage: Page = {
  show: async (visit) => {
    const { reviews: words } = visit.texts;
    const open = await readUnlessRefused(['email_not_verified'], () =>
      visit.call(reviews.listOrganisationReviews, { status: 'open', limit: open_max }),
    );
    const content = html`${open ? html`${renderOpen(visit, open.data)} ${await renderClosed(visit)}` : renderVerification(visit)}`;
    return showHeaded(words, content, { back: ['/app/organisation', visit.texts.reports.back] });
  },
  actions: {
    answer: async ({ call }, { match_id = '', outcome = '', answer = '' }) => {
      // The operation refuses an outcome that does not exist.
      await call(reviews.answerReview, { match_id, outcome: outcome as Outcome, answer: answer.trim() });
      return goTo('/app/reviews', 'reviewAnswered');
    },
  },
};

type Review = OperationBody<typeof reviews.listOrganisationReviews>['data'][number];
type Outcome = NonNullable<Review['outcome']>;

function renderOpen(visit: Visit, open: readonly Review[]): Html {
  const { reviews: words } = visit.texts;
  return html`<section class="group">
    <h2>${words.open}</h2>
    ${open.length === 0 && html`<p class="quiet">${words.nothingOpen}</p>`}
    ${open.map((review) => renderReview(visit, review))}
  </section>`;
}

function renderReview(visit: Visit, review: Review): Html {
  const { texts, format } = visit;
  const { reviews: words, review: shared } = texts;
  const { match_id, job_id, job_title, reason, due_on, is_overdue } = review;
  return html`<section class="panel reading" aria-labelledby="${`review-${review.id}`}">
    <h3 id="${`review-${review.id}`}">${job_title}</h3>
    <p>
      <span class="tag ${is_overdue ? 'urgent' : 'plain'}"
        >${(is_overdue ? words.overdueSince : words.dueBy)(format.formatDate(due_on))}</span
      >
    </p>
    ${renderFacts([
      [shared.requested_on, format.formatDate(review.requested_on)],
      [words.reason, reason ?? words.noReason],
    ])}
    <p><a href="/app/jobs/${job_id}?match=${match_id}">${words.person}</a></p>
    ${isAdmin(visit) ? renderAnswer(visit, match_id) : html`<p class="quiet">${words.administratorsAnswer}</p>`}
  </section>`;
}

function renderAnswer(visit: Visit, match_id: string): Html {
  const { reviews: words } = visit.texts;
  return renderForm(visit, {
    action: 'answer',
    button: words.send,
    hidden: { match_id },
    fields: [
      {
        name: 'outcome',
        id: `outcome-${match_id}`,
        label: words.decision,
        look: 'radio',
        options: [
          ['upheld', words.upheld],
          ['changed', words.changed],
        ],
      },
      {
        name: 'answer',
        id: `answer-${match_id}`,
        label: words.answer,
        hint: words.answerHint,
        lines: 4,
        maxlength: 2000,
      },
    ],
  });
}

/** All requests that are closed, the newest first. */
async function renderClosed(visit: Visit): Promise<Html> {
  const { reviews: words, review: shared } = visit.texts;
  const { data, pagination } = await visit.call(reviews.listOrganisationReviews, {
    limit: page_reviews,
    ...readCursor(visit),
  });
  const closed = data.filter(({ status }) => status !== 'open');
  return html`<section class="group">
    <h2>${words.closed}</h2>
    ${closed.length === 0 && html`<p class="quiet">${words.nothingClosed}</p>`}
    <ul class="list stacked">
      ${closed.map(
        ({ job_title, status, outcome, answer, closed_on }) =>
          html`<li>
            <strong>${job_title}</strong>
            <span>
              ${outcome === null ? shared.statuses[status] : shared.outcomes[outcome]}
              ${closed_on !== null && html`<span class="quiet small">${visit.format.formatDate(closed_on)}</span>`}
            </span>
            ${answer !== null && html`<span class="quiet">${answer}</span>`}
          </li>`,
      )}
    </ul>
    ${renderNextPage('/app/reviews', {}, { next_cursor: pagination.next_cursor, label: words.earlier })}
  </section>`;
}
