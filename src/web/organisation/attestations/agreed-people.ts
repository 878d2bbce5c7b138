import * as matching from '#modules/matching/matches';
import type { Visit } from '../../serving/page.ts';
import type { Match } from '../shortlist/match.ts';

const people_max = 100;

/** Lists the people with whom the organisation shares an agreement: at most a hundred who were placed, and as many who have accepted. */
export async function listAgreedPeople({ call }: Visit): Promise<readonly Match[]> {
  const [placed, accepted] = await Promise.all([
    call(matching.listOrganisationMatches, { status: 'placed', limit: people_max }),
    call(matching.listOrganisationMatches, { status: 'member_accepted', limit: people_max }),
  ]);
  return [...placed.data, ...accepted.data];
}
