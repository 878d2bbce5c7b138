import { Type } from 'typebox';
import { countOffers } from '#modules/credentials/offers';
import { countWaitingMatches } from '#modules/matching/matches';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';

const count = Type.Integer({ minimum: 0 });

export const readMemberWaiting = operation({
  name: 'waiting.readMemberWaiting',
  title: 'Count what waits for a member',
  summary:
    'Counts what waits for an answer of the caller: matches in which an organisation is interested, and open offers of credentials.',
  who: ['member'],
  output: {
    200: closedObject({
      matches: field(count, 'Matches in which an organisation is interested.', 2),
      offers: field(count, 'Offers of credentials that are open.', 1),
    }),
  },
  run: async ({ database, caller: { member_id }, now }) => {
    const [matches, offers] = await Promise.all([
      countWaitingMatches(database, { member_id }),
      countOffers(database, { owner: { member_id }, status: 'open' }, now()),
    ]);
    return { matches, offers };
  },
});
