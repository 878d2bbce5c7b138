import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { describeCulture, findCultureProfile } from '#modules/organisations/culture';
import { findJob } from '#modules/matching/jobs';
import { findOrganisation, findShownDomain, findShownName } from '#modules/organisations/orgs';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { isParty } from '../parties.ts';
import { findMatch } from '../store.ts';
import { matchJobWire, toMatchJobWire } from './wire.ts';

export const readMatchJob = operation({
  name: 'matches.readMatchJob',
  title: 'Read the job of a match',
  summary:
    'Reads the job behind one of the caller’s matches, with its organisation, and what accepting would reveal to whom.',
  who: ['member'],
  input: Type.Object({ match_id: uuid }),
  output: { 200: matchJobWire },
  refuses: ['match_not_found'],
  run: async ({ database, caller, config }, { match_id }) => {
    const match = await findMatch(database, match_id);
    if (!match || !isParty(caller, match)) throw new Refusal('match_not_found');
    const { job_id, org_id } = match;
    const [job, organisation, name, domain, profile] = await Promise.all([
      findJob(database, job_id),
      findOrganisation(database, org_id),
      findShownName(database, org_id),
      findShownDomain({ config }, database, org_id),
      findCultureProfile(database, org_id),
    ]);
    if (!job || !organisation || name === undefined) throw new Refusal('match_not_found');
    const culture = profile ? describeCulture(profile) : null;
    return toMatchJobWire(match.id, job, { ...organisation, name, domain }, culture);
  },
});
