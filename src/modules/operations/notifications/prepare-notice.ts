import { findGreetingName, findMemberAccounts, findReachableUser } from '#modules/access/accounts';
import { findOpenStage } from '#modules/matching/placements';
import { findJob, isFollower, type Job } from '#modules/matching/jobs';
import { findMatch, isContactShared, summariseFit } from '#modules/matching/matches';
import type { MatchNotice } from '#modules/operations/mail';
import { findMember, mayKeepMatches, type Member } from '#modules/people/members';
import { findOrganisation, findShownDomain, findShownName } from '#modules/organisations/orgs';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import type { MatchNoticeKind } from './rules.ts';
import { readSettings } from './settings.ts';
import type { Notice } from './store.ts';

/** What an email says about a match, with its recipient: the address, and the name that the email greets. */
export type PreparedNotice = MatchNotice & { readonly email: string; readonly name: string | undefined };

type Match = NonNullable<Awaited<ReturnType<typeof findMatch>>>;

/**
 * Prepares a notice to be sent now. Undefined if it must no longer be sent: the match has moved on, its organisation is suspended, the member has withdrawn a consent or
 * closed the account, feedback has been given, or the recipient no longer wants it, no longer follows the job, or has left.
 */
export async function prepareNotice(
  { database: db, config, now: readClock }: Pick<Services, 'config' | 'now'> & { readonly database: Reader },
  notice: Notice,
): Promise<PreparedNotice | undefined> {
  const { kind, match_id } = notice;
  const now = readClock();
  const match = await findMatch(db, match_id);
  if (!match || (await readSettings(db, notice.user_id))[kind] === 'never') return undefined;
  const [member, job, organisation, organisation_name] = await Promise.all([
    findMember(db, match.member_id),
    findJob(db, match.job_id),
    findOrganisation(db, match.org_id),
    findShownName(db, match.org_id),
  ]);
  if (!member || !job || !organisation || organisation_name === undefined || !isCurrent(kind, match, member))
    return undefined;
  // The member could not accept now, and sees the match when the suspension ends.
  if (kind === 'match_proposed' && organisation.suspended_at !== null) return undefined;
  const recipient = await findRecipient(db, notice, match, job);
  if (!recipient) return undefined;
  const { side, email } = recipient;
  if (kind === 'feedback_open' && !(await findOpenStage(db, match, side, now))) return undefined;
  const name = await findGreetingName(db, notice.user_id);
  const domain = await findShownDomain({ config }, db, match.org_id);
  return {
    kind,
    match_id,
    job_id: job.id,
    side,
    email,
    name,
    job_title: job.title,
    organisation: organisation_name,
    domain,
    fit: summariseFit(match.match_quality),
  };
}

function isCurrent(kind: MatchNoticeKind, { match_status }: Match, member: Member): boolean {
  const isAvailable = member.account_status === 'active' && mayKeepMatches(member);
  if (kind === 'match_proposed')
    return match_status === 'org_interested' && isAvailable && member.email_verified;
  if (kind === 'match_declined') return match_status === 'member_declined';
  return isContactShared(match_status, member);
}

type Recipient = { readonly side: 'member' | 'organisation'; readonly email: string };

/** Finds the address of the user, as the member or as a user who follows the job. Only administrators answer for the organisation. */
async function findRecipient(
  db: Reader,
  { kind, user_id }: Notice,
  { member_id, org_id }: Match,
  { id: job_id }: Job,
): Promise<Recipient | undefined> {
  if (kind === 'match_proposed' || kind === 'feedback_open') {
    const { user_ids, emails } = await findMemberAccounts(db, member_id);
    const email = emails[user_ids.indexOf(user_id)];
    if (email !== undefined && email !== null) return { side: 'member', email };
    if (kind === 'match_proposed') return undefined;
  }
  if (!(await isFollower(db, { job_id, user_id }))) return undefined;
  const user = await findReachableUser(db, { org_id, user_id });
  if (!user || user.is_organisation_suspended || (kind === 'feedback_open' && !user.is_admin))
    return undefined;
  return { side: 'organisation', email: user.email };
}
