import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { countPendingProposals } from '#modules/income/reads';
import { checkVerifiedAdmin, countWaitingMatches } from '#modules/matching/matches';
import { countOrganisationReviews } from '#modules/matching/reviews';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';

const count = Type.Integer({ minimum: 0 });

export const readOrganisationWaiting = operation({
  name: 'waiting.readOrganisationWaiting',
  title: 'Count what waits for an organisation',
  summary:
    'Counts what waits for the caller’s organisation: matches that a member has accepted, reads that a member has proposed on the marketplace, and human reviews that a member has asked for.',
  who: orgRoles,
  output: {
    200: closedObject({
      matches: field(count, 'Matches that a member has accepted, and that are not placed or closed.', 3),
      reads: field(count, 'Transactions of the marketplace that wait to be paid or declined.', 1),
      reviews: field(count, 'Human reviews that wait for an answer.', 0),
    }),
  },
  refuses: ['email_not_verified'],
  run: async (context) => {
    const { database, now } = context;
    const { org_id } = context.caller;
    await checkVerifiedAdmin(context);
    const [matches, reads, reviews] = await Promise.all([
      countWaitingMatches(database, { org_id }),
      countPendingProposals(database, org_id, now()),
      countOrganisationReviews(database, { org_id, status: 'open' }),
    ]);
    return { matches, reads, reviews };
  },
});
