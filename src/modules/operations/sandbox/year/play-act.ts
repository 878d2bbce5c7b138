import { readParentId } from '#lib/child-id.ts';
import { Refusal, requireFound } from '#lib/refusal.ts';
import { answerOffer, listOffers } from '#modules/credentials/offers';
import { requestPayout } from '#modules/income/books';
import { createRead, type DataType } from '#modules/income/reads';
import { answerMemberInvitation, inviteCandidate, listMemberInvitations } from '#modules/matching/candidates';
import { closeJob, createJob } from '#modules/matching/jobs';
import { readMatch, respondToMatch, setMatchStatus } from '#modules/matching/matches';
import { correctPlacement, giveFeedback, recordOutcome } from '#modules/matching/placements';
import { answerReview, requestReview } from '#modules/matching/reviews';
import { formatMemberEmail } from '../rules.ts';
import type { Company } from './company.ts';
import type { Act } from './plan-year.ts';
import { yearJobs } from './year-jobs.ts';

/** An act, with a name of its own in this sandbox, and the time at which its year began. */
export type PlayedAct = { readonly act: Act; readonly key: string; readonly began_at: Date };

type Player<Kind extends Act['kind']> = (
  company: Company,
  act: Extract<Act, { readonly kind: Kind }>,
  played: PlayedAct,
) => Promise<unknown>;

/**
 * Does what an act says. One that is impossible as things are changes nothing: its operation refuses it, or there is nothing that it is about.
 *
 * @returns the code of the refusal, if there was one.
 */
export async function playAct(company: Company, played: PlayedAct): Promise<string | undefined> {
  // The kind of the act selects the function for it.
  const play = players[played.act.kind] as Player<Act['kind']>;
  try {
    await play(company, played.act, played);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

const players: { readonly [Kind in Act['kind']]: Player<Kind> } = {
  openJob: async ({ callAsOrganisation, nameJob }, { job }, { key }) =>
    callAsOrganisation(key)(createJob, { ...yearJobs[job]!, external_ref: nameJob(job) }),
  closeJob: async ({ callAsOrganisation, findJob }, { job }, { key }) =>
    callAsOrganisation(key)(closeJob, { job_id: await findJob(job) }),
  invite: async ({ callAsOrganisation, findJob }, { job, member }, { key }) =>
    callAsOrganisation(key)(inviteCandidate, {
      job_id: await findJob(job),
      email: formatMemberEmail(member),
    }),
  acceptInvitation: async ({ callAsMember }, { job, member }, { key }) => {
    const call = await callAsMember(member, key);
    const { data } = await call(listMemberInvitations, { status: 'sent', limit: 100 });
    const invitation = data.find(({ job_title }) => job_title === yearJobs[job]!.title);
    const { id: invitation_id } = requireFound(invitation, 'candidate_invitation_not_found');
    await call(answerMemberInvitation, { invitation_id, decision: 'accept' });
  },
  reviewList: (company, { job, order }, { key }) => decideOnList(company, { job, order, key }),
  hire: (company, { job, order }, { key }) => recordHire(company, { job, order, key }),
  buyRead: (company, act, { key }) => buyRead(company, { ...act, key, tx_hash: key }),
  // The sandbox lets the member withdraw between a payment with such a name and its read.
  refundRead: (company, act, { key }) =>
    buyRead(company, { ...act, data_type: 'archetype', key, tx_hash: `refund-${key}` }),
  accept: (company, act, { key }) => respond(company, { ...act, decision: 'accept', key }),
  decline: (company, act, { key }) => respond(company, { ...act, decision: 'decline', key }),
  requestReview: (company, act, { key }) => askForReview(company, { ...act, key }),
  upholdDecision: async ({ callAsOrganisation, findMatch }, { job, member }, { key }) =>
    callAsOrganisation(key)(answerReview, {
      match_id: await findMatch(job, member),
      outcome: 'upheld',
      answer: 'The head of the department has read the profile again. The decision stays.',
    }),
  changeDecision: (company, act, { key }) => changeDecision(company, { ...act, key }),
  acceptCredential: (company, act, { key }) => answerCredential(company, { ...act, decision: 'accept', key }),
  declineCredential: (company, act, { key }) =>
    answerCredential(company, { ...act, decision: 'decline', key }),
  disputeCredential: (company, act, { key }) =>
    answerCredential(company, { ...act, decision: 'dispute', reason: 'I began a week later.', key }),
  correctPlacement: async (
    { callAsOrganisation, findMatch },
    { job, member, placed_day },
    { key, began_at },
  ) =>
    callAsOrganisation(key)(correctPlacement, {
      match_id: await findMatch(job, member),
      placed_at: addDays(began_at, placed_day).toISOString(),
      reason: 'The contract began a week later than recorded.',
    }),
  giveFeedback: async (company, { job, member, by, stage_days, overall_rating }, { key }) => {
    const match_id = await company.findMatch(job, member);
    const call = by === 'member' ? await company.callAsMember(member, key) : company.callAsOrganisation(key);
    return call(giveFeedback, { match_id, stage_days, overall_rating });
  },
  extend: async ({ callAsOrganisation, findMatch }, { job, member }, { key }) =>
    callAsOrganisation(key)(recordOutcome, { match_id: await findMatch(job, member), outcome: 'extended' }),
  leave: async ({ callAsOrganisation, findMatch }, { job, member }, { key }) =>
    callAsOrganisation(key)(recordOutcome, { match_id: await findMatch(job, member), outcome: 'left' }),
  requestPayout: async ({ callAsMember }, { member }, { key }) =>
    (await callAsMember(member, key))(requestPayout, { destination: formatWallet(member) }),
};

type ForJob = { readonly job: number; readonly key: string };
type ForMember = ForJob & { readonly member: number };
type ForOrder = ForJob & { readonly order: readonly number[] };

const asked_max = 5;
const passed_max = 2;

/** Asks the first who suit the job better than most, and passes on the next. The lowest tier is left out, because chance decides who is in a long one. */
async function decideOnList(company: Company, { job, order, key }: ForOrder): Promise<void> {
  const job_id = await company.findJob(job);
  const call = company.callAsOrganisation(key);
  let considered = 0;
  for (const member of order) {
    if (considered === asked_max + passed_max) return;
    const match = (await company.listMatches(member)).find(({ id }) => readParentId(id) === job_id);
    if (!match || match.match_tier === 'developing') continue;
    const status = considered++ < asked_max ? 'org_interested' : 'org_passed';
    await call(setMatchStatus, { match_id: match.id, status });
  }
}

/** Hires the first who has accepted and whom the year has not placed elsewhere, and ends what does not lead to it. */
async function recordHire(
  { callAsOrganisation, listConsidered, listMatches }: Company,
  { job, order, key }: ForOrder,
): Promise<void> {
  const considered = await listConsidered(job);
  let isHired = false;
  for (const member of order) {
    const match_id = considered.get(member);
    if (match_id === undefined) continue;
    const matches = await listMatches(member);
    if (matches.find(({ id }) => id === match_id)?.status !== 'member_accepted') continue;
    const isFree = !matches.some(({ status }) => status === 'placed');
    const outcome: 'placed' | 'not_placed' = isFree && !isHired ? 'placed' : 'not_placed';
    await callAsOrganisation(`${key}-${member}`)(recordOutcome, { match_id, outcome });
    isHired ||= outcome === 'placed';
  }
}

async function buyRead(
  { callAsOrganisation, findMatch }: Company,
  {
    job,
    member,
    data_type,
    key,
    tx_hash,
  }: ForMember & { readonly data_type: DataType; readonly tx_hash: string },
): Promise<void> {
  const call = callAsOrganisation(key);
  const { member_id } = await call(readMatch, { match_id: await findMatch(job, member) });
  await call(createRead, { member_id, data_type }, { tx_hash, timestamp: 0 });
}

async function respond(
  { callAsMember, findMatch }: Company,
  { job, member, decision, key }: ForMember & { readonly decision: 'accept' | 'decline' },
): Promise<void> {
  const match_id = await findMatch(job, member);
  await (
    await callAsMember(member, key)
  )(respondToMatch, { match_id, decision });
}

/** A member who was passed on asks that a person looks again. */
async function askForReview(
  { callAsMember, findMatch }: Company,
  { job, member, key }: ForMember,
): Promise<void> {
  const match_id = await findMatch(job, member);
  const call = await callAsMember(member, key);
  if ((await call(readMatch, { match_id })).match_status !== 'org_passed') return;
  await call(requestReview, { match_id, reason: 'My years in another ward are missing from the picture.' });
}

/** The organisation takes back that it has passed on a member, and asks them. */
async function changeDecision(
  { callAsOrganisation, findMatch }: Company,
  { job, member, key }: ForMember,
): Promise<void> {
  const match_id = await findMatch(job, member);
  const call = callAsOrganisation(key);
  await call(answerReview, {
    match_id,
    outcome: 'changed',
    answer: 'The head of the department has read the profile again, and would like to talk.',
  });
  await call(setMatchStatus, { match_id, status: 'pending_review' });
  await call(setMatchStatus, { match_id, status: 'org_interested' });
}

type CredentialAnswer = ForMember & {
  readonly decision: 'accept' | 'decline' | 'dispute';
  readonly reason?: string;
};

/** Answers the offer of the credential about a placement, if there is one. */
async function answerCredential(
  { callAsMember, findMatch }: Company,
  { job, member, decision, reason, key }: CredentialAnswer,
): Promise<void> {
  await findMatch(job, member);
  const call = await callAsMember(member, key);
  const { data } = await call(listOffers, { status: 'open', limit: 100 });
  const offer = data.find(({ claims }) => claims.job_title === yearJobs[job]!.title);
  const { id: offer_id } = requireFound(offer, 'credential_offer_not_found');
  await call(answerOffer, { offer_id, decision, ...(reason !== undefined && { reason }) });
}

/** An address on the chain, for the mock rail. */
function formatWallet(member: number): string {
  return `0x${member.toString(16).padStart(40, '0')}`;
}

function addDays(time: Date, days: number): Date {
  return new Date(time.getTime() + days * 86_400_000);
}
