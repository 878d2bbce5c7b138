import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { checkVerifiedAdmin } from '#modules/matching/matches';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { reviewStatuses } from './rules.ts';
import { countOrganisationReviews, listOrganisationReviews as listRows, type ReviewPlace } from './store.ts';
import { listedReviewWire, toReviewWire } from './wire.ts';

export const listOrganisationReviews = operation({
  name: 'reviews.listOrganisationReviews',
  title: 'List the human reviews that members have asked for',
  summary:
    'Lists the requests for a human review of matches of the caller’s organisation: with status=open by due date, otherwise the newest first.',
  who: orgRoles,
  input: Type.Object({
    status: Type.Optional(field(Type.Enum(reviewStatuses), 'Only requests with this status.', 'open')),
    ...pageQuery,
  }),
  output: { 200: buildPageSchema(listedReviewWire) },
  refuses: ['email_not_verified', 'cursor_invalid'],
  run: async (context, { status, limit, cursor }) => {
    const { database, caller, now } = context;
    await checkVerifiedAdmin(context);
    const filter = { org_id: caller.org_id, status };
    return readPage(
      context,
      { name: 'reviews.listOrganisationReviews', filter, limit, cursor },
      {
        list: (after: ReviewPlace | undefined, rows_max) => listRows(database, filter, after, rows_max),
        count: () => countOrganisationReviews(database, filter),
        getPlace: ({ due_at, id }): ReviewPlace => [due_at.toISOString(), id],
        toItem: (review) => ({
          ...toReviewWire(review.match_id, review, now()),
          job_id: review.job_id,
          job_title: review.job_title,
        }),
      },
    );
  },
});
