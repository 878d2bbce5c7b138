import { findGreetingName, findMemberAccounts } from '#modules/auth';
import { findJob, isFollower, type Job } from '#modules/jobs';
import { findMatch, isContactShared } from '#modules/matching';
import { findMember, mayKeepMatches, type Member } from '#modules/members';
import { findOrganisation } from '#modules/orgs';
import type { Reader } from '#platform/database/database.ts';
import { defaultSettings, type NoticeKind } from './rules.ts';
import { findOrganisationAddress, findSettings, type Notice } from './store.ts';

/** A notice with its recipient and the words that it needs. */
export type PreparedNotice = {
  readonly kind: NoticeKind;
  readonly match_id: string;
  readonly job_id: string;
  readonly email: string;
  /** The name of the recipient. */
  readonly name: string | undefined;
  readonly job_title: string;
  readonly organisation: string;
};

type Match = NonNullable<Awaited<ReturnType<typeof findMatch>>>;

/**
 * Prepares a notice to be sent now. Undefined if it must no longer be sent: the match has moved on, the member has withdrawn a consent or
 * closed the account, or the recipient no longer wants it, no longer follows the job, or has left.
 */
export async function prepareNotice(db: Reader, notice: Notice): Promise<PreparedNotice | undefined> {
  const { kind, match_id } = notice;
  const match = await findMatch(db, match_id);
  if (!match || ((await findSettings(db, notice.user_id)) ?? defaultSettings)[kind] === 'never')
    return undefined;
  const [member, job, organisation] = await Promise.all([
    findMember(db, match.member_id),
    findJob(db, match.job_id),
    findOrganisation(db, match.org_id),
  ]);
  if (!member || !job || !organisation || !isCurrent(kind, match, member)) return undefined;
  const email = await findAddress(db, notice, match, job);
  if (email === undefined) return undefined;
  const name = await findGreetingName(db, notice.user_id);
  return {
    kind,
    match_id,
    job_id: job.id,
    email,
    name,
    job_title: job.title,
    organisation: organisation.name,
  };
}

function isCurrent(kind: NoticeKind, { match_status }: Match, member: Member): boolean {
  const isAvailable = member.account_status === 'active' && mayKeepMatches(member);
  if (kind === 'match_proposed')
    return match_status === 'org_interested' && isAvailable && member.email_verified;
  if (kind === 'match_accepted') return isContactShared(match_status, member);
  return match_status === 'member_declined';
}

async function findAddress(
  db: Reader,
  { kind, user_id }: Notice,
  { member_id, org_id }: Match,
  { id: job_id }: Job,
): Promise<string | undefined> {
  if (kind !== 'match_proposed')
    return (await isFollower(db, { job_id, user_id }))
      ? findOrganisationAddress(db, user_id, org_id)
      : undefined;
  const { user_ids, emails } = await findMemberAccounts(db, member_id);
  return emails[user_ids.indexOf(user_id)];
}
