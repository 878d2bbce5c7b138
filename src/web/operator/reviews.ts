import * as reviews from '#modules/matching/reviews';
import { renderNextPage } from '../parts/next-page.ts';
import { html } from '../serving/html.ts';
import { showView, type Page } from '../serving/page.ts';

/** The human reviews that organisations have not answered in time. */
export const overdueReviewsPage: Page = {
  show: async (visit) => {
    const { operatorReviews: words, operator } = visit.texts;
    const { cursor } = visit.query;
    const { data, pagination } = await visit.call(reviews.listOverdueReviews, {
      ...(cursor !== undefined && { cursor }),
      limit: 50,
    });
    const content = html`<header class="head">
        <h1>${words.title}</h1>
        <p class="lead">${data.length === 0 ? words.none : words.lead}</p>
      </header>
      <ul class="list">
        ${data.map(
          ({ org_id, organisation, requested_at, due_on }) =>
            html`<li>
              <a href="/app/operator/organisations/${org_id}"><strong>${organisation}</strong></a>
              <span>${words.due(visit.format.formatDate(due_on))}</span>
              <span class="quiet small">${words.requested(visit.format.formatTime(requested_at))}</span>
            </li>`,
        )}
      </ul>
      ${renderNextPage('/app/operator/reviews', {}, { next_cursor: pagination.next_cursor, label: operator.more })}`;
    return showView({ title: words.title, layout: 'app', content });
  },
};
