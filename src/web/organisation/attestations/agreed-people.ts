import * as jobs from '#modules/matching/jobs';
import * as matching from '#modules/matching/matches';
import type { Visit } from '../../serving/page.ts';
import { nameMatch, type Match } from '../shortlist/match.ts';

const people_max = 100;

/** Somebody with whom the organisation shares an agreement, by name and job. */
export type AgreedPerson = { readonly match: Match; readonly name: string };

/** Lists the people with whom the organisation shares an agreement: at most a hundred who were placed, and as many who have accepted. */
export async function listAgreedPeople(visit: Visit): Promise<readonly AgreedPerson[]> {
  const { call } = visit;
  const [placed, accepted, listed] = await Promise.all([
    call(matching.listOrganisationMatches, { status: 'placed', limit: people_max }),
    call(matching.listOrganisationMatches, { status: 'member_accepted', limit: people_max }),
    call(jobs.listJobs, { limit: people_max }),
  ]);
  const titles = new Map(listed.data.map(({ id, title }) => [id, title]));
  return [...placed.data, ...accepted.data].map((match) => {
    const title = titles.get(match.job_id);
    const name = nameMatch(visit, match);
    return { match, name: title === undefined ? name : `${name} · ${title}` };
  });
}
