import { hasUsedPagesSince } from '#modules/access/accounts';
import { hasOpenOffer } from '#modules/credentials/offers';
import { mayKeepMatches } from '#modules/people/members';
import { listFoundMatches, summariseFit } from '#modules/matching/matches';
import {
  buildAssessmentMail,
  buildFoundMatches,
  mailTask,
  sendMail,
  type MailText,
  type Recipient,
} from '#modules/operations/mail';
import type { Database, Reader } from '#platform/database/database.ts';
import { task } from '#platform/queue/task.ts';
import { findMemberRecipient } from './find-member-recipient.ts';
import { planMemberNotice, type MemberNoticeKind } from './rules.ts';
import { readSettings } from './settings.ts';
import {
  releaseMemberNotice,
  replaceMemberNotice,
  takeMemberNotice,
  type MemberNotice,
  type NoticeKey,
} from './store-member-notices.ts';
import { addUnsubscribeUrl } from './unsubscribe-token.ts';

/**
 * Sends an email about a member's assessment, credentials or new matches, unless it is no longer true or no longer wanted. It is marked as sent first: a crash may lose it, and never
 * repeats it. A mail server that refuses it has not sent it, so that the task tries again.
 */
export const sendMemberNotice = task<{ readonly user_id: string; readonly kind: MemberNoticeKind }>({
  name: 'notifications.sendMemberNotice',
  ...mailTask,
  merge_by: ({ user_id, kind }) => `${user_id}.${kind}`,
  run: async (context, { user_id, kind }) => {
    const { database, config, now } = context;
    const taken_at = now();
    const notice = await takeNotice(database, { user_id, kind }, taken_at);
    if (!notice) return;
    const recipient = await findRecipient(database, notice, now());
    const text = recipient && (await buildText(database, config.publicUrl, notice));
    if (!text) return;
    const addressed = addUnsubscribeUrl(context, recipient, { user_id, scope: kind });
    try {
      await sendMail(context, addressed, text);
    } catch (error) {
      await releaseMemberNotice(database, notice, isSummary(kind) ? taken_at : undefined);
      throw error;
    }
  },
});

const isSummary = (kind: MemberNoticeKind) => kind === 'matches_found';

/** Marks a notice as sent, and plans the summary of the next week with it, so that a crash loses one email and not all later ones. */
function takeNotice(database: Database, key: NoticeKey, now: Date): Promise<MemberNotice | undefined> {
  return database.transaction(async (tx) => {
    const notice = await takeMemberNotice(tx, key, now);
    if (!notice || !isSummary(notice.kind)) return notice;
    const { user_id, kind, member_id } = notice;
    if ((await readSettings(tx, user_id))[kind] !== 'never')
      await replaceMemberNotice(tx, planMemberNotice({ user_id, kind, member_id }, now));
    return notice;
  });
}

/** The jobs that a summary names. */
const jobs_max = 5;

/** Builds the email; undefined if nothing new is there for a summary. */
async function buildText(
  db: Reader,
  publicUrl: string,
  { kind, member_id, happened_at }: MemberNotice,
): Promise<MailText | undefined> {
  if (kind !== 'matches_found') return buildAssessmentMail(publicUrl, kind);
  const found = await listFoundMatches(db, member_id, { since: happened_at, limit: jobs_max });
  const jobs = found.map(({ match_quality, ...job }) => ({ ...job, fit: summariseFit(match_quality) }));
  return jobs.length === 0 ? undefined : buildFoundMatches(publicUrl, jobs);
}

/** Finds the address; undefined if the email is not wanted or says nothing new, or the member cannot be reached. */
async function findRecipient(db: Reader, notice: MemberNotice, now: Date): Promise<Recipient | undefined> {
  const { user_id, kind, member_id, happened_at } = notice;
  const found = await findMemberRecipient(db, notice);
  if (!found) return undefined;
  if (kind === 'matches_found' && !mayKeepMatches(found.member)) return undefined;
  if (kind === 'assessment_unfinished' && found.member.assessment_phase !== 'in_progress') return undefined;
  if (kind === 'results_ready' && (await hasSeenResults(db, user_id, happened_at))) return undefined;
  if (kind === 'credential_offered' && !(await hasOpenOffer(db, member_id, now))) return undefined;
  return found.recipient;
}

/** A session notes its use once an hour, so the use of the pages at the end of a stage is noted at most an hour before. */
const session_note_ms = 3_600_000;

/** Whether the member had the pages open when the stage ended, which show its results at once, or has opened them since. */
function hasSeenResults(db: Reader, user_id: string, ended_at: Date): Promise<boolean> {
  return hasUsedPagesSince(db, user_id, new Date(ended_at.getTime() - session_note_ms));
}
