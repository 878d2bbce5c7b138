import { findGreetingName, findMemberAccounts } from '#modules/access/accounts';
import { sumReads, type ReadSummary } from '#modules/income/books';
import { findMember } from '#modules/people/members';
import type { Reader } from '#platform/database/database.ts';
import { computeReadNoticeTime, computeReportEnd, type Frequency } from './rules.ts';
import { readSettings } from './settings.ts';
import { findReadNotice, type ReadNotice } from './store-reads.ts';

/** What an email says about the reads of a time. */
export type ReadReport = {
  readonly email: string;
  readonly name: string | undefined;
  readonly summary: ReadSummary;
};

/** A report that is due, with what to store after it was sent. `report` is undefined if there is nothing to send. */
export type DueReport = {
  readonly report: ReadReport | undefined;
  readonly end: Pick<ReadNotice, 'user_id' | 'reported_until' | 'due_at'>;
};

const groups_max = 20;

/** Prepares the report about reads that a user is due; undefined if none is. */
export async function prepareReadReport(
  db: Reader,
  user_id: string,
  now: Date,
): Promise<DueReport | undefined> {
  const notice = await findReadNotice(db, user_id);
  if (!notice?.due_at || notice.due_at > now) return undefined;
  const { data_read } = await readSettings(db, user_id);
  const reported_until = computeReportEnd(now);
  const report =
    data_read === 'never'
      ? undefined
      : await buildReport(db, notice, { after: notice.reported_until, until: reported_until });
  const due_at = computeNextTime(data_read, { wasSent: report !== undefined, due_at: notice.due_at, now });
  return { report, end: { user_id, reported_until, due_at } };
}

/** When to report the reads that this report is too early for. */
function computeNextTime(
  frequency: Frequency,
  { wasSent, due_at, now }: { readonly wasSent: boolean; readonly due_at: Date; readonly now: Date },
): Date | null {
  if (frequency === 'never') return null;
  return wasSent ? computeReadNoticeTime(frequency, now, now) : due_at;
}

/** Nothing is sent to an account that is being deleted, or to an address that is not verified. */
async function buildReport(
  db: Reader,
  { user_id, member_id }: ReadNotice,
  span: { readonly after: Date; readonly until: Date },
): Promise<ReadReport | undefined> {
  const [member, { user_ids, emails }] = await Promise.all([
    findMember(db, member_id),
    findMemberAccounts(db, member_id),
  ]);
  const email = emails[user_ids.indexOf(user_id)];
  if (member?.account_status !== 'active' || !member.email_verified || !email) return undefined;
  const summary = await sumReads(db, member_id, span, groups_max);
  if (summary.read_count === 0) return undefined;
  return { email, name: await findGreetingName(db, user_id), summary };
}
