import { randomUUID } from 'node:crypto';
import { readParentId } from '#lib/child-id.ts';
import { Refusal, requireFound } from '#lib/refusal.ts';
import { findAccount } from '#modules/access/accounts';
import { answerOffer, listOffers } from '#modules/credentials/offers';
import { requestPayout } from '#modules/income/books';
import { createRead } from '#modules/income/reads';
import { answerMemberInvitation, inviteCandidate, listMemberInvitations } from '#modules/matching/candidates';
import { closeJob, createJob, listJobs } from '#modules/matching/jobs';
import { listMemberMatches, readMatch, respondToMatch, setMatchStatus } from '#modules/matching/matches';
import { correctPlacement, giveFeedback, recordOutcome } from '#modules/matching/placements';
import { answerReview, requestReview } from '#modules/matching/reviews';
import { createOperationCalls, type CallOperation } from '#platform/http/in-process/call-operations.ts';
import { row } from '#platform/http/row.ts';
import type { OperationBody } from '#platform/operation.ts';
import type { Platform } from '#platform/platform.ts';
import { formatMemberEmail } from '../rules.ts';

/** What is done in a year. Each is called as over HTTP: its role, its input and its rules are checked. */
const operations = [
  answerMemberInvitation,
  answerOffer,
  answerReview,
  closeJob,
  correctPlacement,
  createJob,
  createRead,
  giveFeedback,
  inviteCandidate,
  listJobs,
  listMemberInvitations,
  listMemberMatches,
  listOffers,
  readMatch,
  recordOutcome,
  requestPayout,
  requestReview,
  respondToMatch,
  setMatchStatus,
];

/** A match as its member lists it. */
type ListedMatch = OperationBody<typeof listMemberMatches>['data'][number];

/** The organisation of a year and its made-up members, and what they find of each other. */
export type Company = {
  /** Calls operations as the administrator who began the year. The `key` of an act lets it take effect once, even if it is played again. */
  readonly callAsOrganisation: (key: string) => CallOperation;
  /** Calls operations as a member. */
  readonly callAsMember: (member: number, key: string) => Promise<CallOperation>;
  /** The `external_ref` of a job of the year. */
  readonly nameJob: (job: number) => string;
  /** Finds the id of a job of the year. @throws Refusal `job_not_found` if it has not opened. */
  readonly findJob: (job: number) => Promise<string>;
  /** Lists the matches of a member, with all jobs. */
  readonly listMatches: (member: number) => Promise<readonly ListedMatch[]>;
  /** Finds the match of a member whom the organisation has decided about. @throws Refusal `match_not_found` for any other. */
  readonly findMatch: (job: number, member: number) => Promise<string>;
  /** Lists the members whom the organisation has decided about, with the ids of their matches. */
  readonly listConsidered: (job: number) => Promise<ReadonlyMap<number, string>>;
};

/** Who plays: the administrator who began the year, the members who have accounts, and the seed by which its jobs are named. */
type Cast = {
  readonly seed: number;
  readonly org_id: string;
  readonly user_id: string;
  readonly member_count: number;
};

/** Gathers those who play a year. What they find is kept while it is played. */
export function gatherCompany(platform: Platform, cast: Cast): Company {
  const { callAsOrganisation, callAsMember } = createCalls(platform, cast);
  const nameJob = (job: number) => `year-${cast.seed}-job-${job + 1}`;
  const findJob = cacheFound(async (job: number) => {
    const call = callAsOrganisation('find-job');
    const { data } = await call(listJobs, { external_ref: nameJob(job), limit: 1 });
    return requireFound(data[0], 'job_not_found').id;
  });
  // Somebody may have closed the account, or withdrawn a consent.
  const listMatches = (member: number) =>
    callAsMember(member, 'list-matches').then(readAll).catch(returnNoneIfRefused);
  const listConsidered = cacheFound(async (job: number) => {
    const job_id = await findJob(job);
    const found = new Map<number, string>();
    for (let member = 1; member <= cast.member_count; member++) {
      const match = (await listMatches(member)).find(({ id }) => readParentId(id) === job_id);
      if (match && match.status !== 'pending_review') found.set(member, match.id);
    }
    return found;
  });
  const findMatch = async (job: number, member: number) => {
    const match_id = (await listConsidered(job)).get(member);
    if (match_id === undefined) throw new Refusal('match_not_found');
    return match_id;
  };
  return { callAsOrganisation, callAsMember, nameJob, findJob, listMatches, listConsidered, findMatch };
}

function returnNoneIfRefused(error: unknown): readonly ListedMatch[] {
  if (error instanceof Refusal) return [];
  throw error;
}

/** Stores what was found about each job. What was not found is looked for again. */
function cacheFound<Found extends string | object>(
  find: (job: number) => Promise<Found>,
): (job: number) => Promise<Found> {
  const known = new Map<number, Found>();
  return async (job) => {
    const found = known.get(job) ?? (await find(job));
    known.set(job, found);
    return found;
  };
}

/** How many pages of matches are read: a member who has more is not of a sandbox that anybody needs. */
const pages_max = 20;

async function readAll(call: CallOperation): Promise<readonly ListedMatch[]> {
  const found: ListedMatch[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pages_max; page++) {
    const { data, pagination } = await call(listMemberMatches, { limit: 100, ...(cursor && { cursor }) });
    found.push(...data);
    if (pagination.next_cursor === null) break;
    cursor = pagination.next_cursor;
  }
  return found;
}

function createCalls(platform: Platform, { org_id, user_id }: Cast) {
  const rows = operations.map((each) => row('POST', '/', 'jwt', each));
  const createCall = createOperationCalls(platform, rows);
  const session_id = randomUUID();
  const openCalls = (caller: CallerFields, key: string) =>
    createCall({
      caller: { ...caller, session_id, authenticated_at: platform.now() },
      facts: { ...facts, id: key },
      key,
      takeCookies: () => undefined,
    });
  return {
    callAsOrganisation: (key: string) => openCalls({ role: 'org_admin', user_id, org_id }, key),
    callAsMember: async (member: number, key: string) => {
      const account = await findAccount(platform.database, formatMemberEmail(member));
      if (!account?.linked_entity_id) throw new Refusal('member_not_found');
      const { id, linked_entity_id: member_id } = account;
      return openCalls({ role: 'member', user_id: id, member_id }, key);
    },
  };
}

type CallerFields =
  | { readonly role: 'org_admin'; readonly user_id: string; readonly org_id: string }
  | { readonly role: 'member'; readonly user_id: string; readonly member_id: string };

/** No program and no browser has sent a request. */
const facts = {
  address: '127.0.0.1',
  user_agent: 'Year of a sandbox',
  accept: undefined,
  cookies: {},
  if_match: undefined,
  payment: {},
  origin: undefined,
};
