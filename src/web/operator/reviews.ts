import * as reviews from '#modules/matching/reviews';
import { renderNextPage } from '../parts/next-page.ts';
import { html } from '../serving/html.ts';
import { readCursor, showHeaded, type Page } from '../serving/page.ts';

/** The human reviews that organisations have not answered in time. */
export const overdueReviewsPage: Page = {
  show: async (visit) => {
    const { operatorReviews: words, operator } = visit.texts;
    const { data, pagination } = await visit.call(reviews.listOverdueReviews, {
      ...readCursor(visit),
      limit: 50,
    });
    const content = html`<ul class="list">
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
    return showHeaded({ title: words.title, lead: data.length === 0 ? words.none : words.lead }, content);
  },
};
