import { hasUsedPagesSince } from '#modules/access/accounts';
import { hasOpenOffer } from '#modules/credentials/offers';
import { buildAssessmentMail, mailTask, sendMail, type Recipient } from '#modules/operations/mail';
import type { Reader } from '#platform/database/database.ts';
import { task } from '#platform/queue/task.ts';
import { findMemberRecipient } from './find-member-recipient.ts';
import type { MemberNoticeKind } from './rules.ts';
import { releaseMemberNotice, takeMemberNotice, type MemberNotice } from './store-member-notices.ts';
import { addUnsubscribeUrl } from './unsubscribe-token.ts';

/**
 * Sends an email about a member's assessment or credentials, unless it is no longer true or no longer wanted. It is marked as sent first: a crash may lose it, and never
 * repeats it. A mail server that refuses it has not sent it, so that the task tries again.
 */
export const sendMemberNotice = task<{ readonly user_id: string; readonly kind: MemberNoticeKind }>({
  name: 'notifications.sendMemberNotice',
  ...mailTask,
  merge_by: ({ user_id, kind }) => `${user_id}.${kind}`,
  run: async (context, { user_id, kind }) => {
    const { database, config, now } = context;
    const notice = await takeMemberNotice(database, { user_id, kind }, now());
    if (!notice) return;
    const recipient = await findRecipient(database, notice, now());
    if (!recipient) return;
    const addressed = addUnsubscribeUrl(context, recipient, { user_id, scope: kind });
    try {
      await sendMail(context, addressed, buildAssessmentMail(config.publicUrl, kind));
    } catch (error) {
      await releaseMemberNotice(database, notice);
      throw error;
    }
  },
});

/** Finds the address; undefined if the email is not wanted or says nothing new, or the member cannot be reached. */
async function findRecipient(db: Reader, notice: MemberNotice, now: Date): Promise<Recipient | undefined> {
  const { user_id, kind, member_id, happened_at } = notice;
  const found = await findMemberRecipient(db, notice);
  if (!found) return undefined;
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
