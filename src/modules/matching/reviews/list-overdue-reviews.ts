import { Type } from 'typebox';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { countOverdueReviews, listOverdueReviews as listRows, type ReviewPlace } from './store.ts';
import { formatDueDate, overdueReviewWire } from './wire.ts';

export const listOverdueReviews = operation({
  name: 'reviews.listOverdueReviews',
  title: 'List overdue human reviews',
  summary:
    'Lists the requests for a human review that organisations have not answered in time, the longest overdue first, without the member and their words.',
  who: ['platform_admin'],
  input: Type.Object(pageQuery),
  output: { 200: buildPageSchema(overdueReviewWire) },
  refuses: ['cursor_invalid'],
  run: (context, { limit, cursor }) => {
    const { database, now } = context;
    return readPage(
      context,
      { name: 'reviews.listOverdueReviews', filter: {}, limit, cursor },
      {
        list: (after: ReviewPlace | undefined, rows_max) => listRows(database, now(), after, rows_max),
        count: () => countOverdueReviews(database, now()),
        getPlace: ({ due_at, id }): ReviewPlace => [due_at.toISOString(), id],
        toItem: ({ id, org_id, organisation, requested_at, due_at }) => ({
          id,
          org_id,
          organisation,
          requested_at: requested_at.toISOString(),
          due_on: formatDueDate(due_at),
        }),
      },
    );
  },
});
