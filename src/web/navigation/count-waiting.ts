import * as matches from '#modules/matching/matches';
import * as offers from '#modules/credentials/offers';
import * as reads from '#modules/income/reads';
import * as members from '#modules/people/members';
import * as reviews from '#modules/matching/reviews';
import { Refusal } from '#lib/refusal.ts';
import type { Waiting } from './navigation.ts';
import type { Visit } from '../serving/page.ts';

/**
 * Counts what waits for an answer of the visitor, by the entry of the navigation that leads to it. A page is shown without these marks if they
 * cannot be read.
 */
export async function countWaiting(visit: Visit): Promise<Waiting> {
  const { caller, call } = visit;
  if (caller.role === 'member')
    return {
      '/app/traits': await countUnlessRefused(readUnfinished(visit)),
      '/app/credentials': await count(call(offers.listOffers, { status: 'open', limit: 1 })),
      '/app/matches': await count(call(matches.listMemberMatches, { status: 'org_interested', limit: 1 })),
    };
  if (caller.role === 'anonymous' || caller.role === 'platform_admin') return {};
  const [accepted, proposed, asked] = await Promise.all([
    count(call(matches.listOrganisationMatches, { status: 'member_accepted', limit: 1 })),
    count(call(reads.listOrganisationMarketplaceReads, { status: 'pending', limit: 1 })),
    count(call(reviews.listOrganisationReviews, { status: 'open', limit: 1 })),
  ]);
  return { '/app/jobs': accepted, '/app/reads': proposed, '/app/organisation': asked };
}

type Page = { readonly pagination: { readonly total_count: number } };

function count(reading: Promise<Page>): Promise<number> {
  return countUnlessRefused(reading.then(({ pagination }) => pagination.total_count));
}

/** One for a member whose first assessment is unfinished. */
async function readUnfinished({ call }: Visit): Promise<number> {
  return (await call(members.readMember)).assessment_phase === 'in_progress' ? 1 : 0;
}

async function countUnlessRefused(counting: Promise<number>): Promise<number> {
  try {
    return await counting;
  } catch (error) {
    // A member who is not matched yet may not list matches, and a busy database refuses.
    if (error instanceof Refusal) return 0;
    throw error;
  }
}
