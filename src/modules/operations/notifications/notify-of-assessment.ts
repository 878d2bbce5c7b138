import { findMemberAccounts } from '#modules/access/accounts';
import { task } from '#platform/queue/task.ts';
import { planMemberNotice, type MemberNoticeKind } from './rules.ts';
import { insertMemberNotice, replaceMemberNotice } from './store-member-notices.ts';

type Data = { readonly member_id: string; readonly at: string };

const settings = {
  retry_seconds: [10, 60, 300],
  group_by: ({ member_id }: Data) => member_id,
};

/** Plans the one reminder of a member whose assessment has begun. */
export const remindOfAssessment = task<Data>({
  name: 'notifications.remindOfAssessment',
  ...settings,
  run: ({ database }, data) =>
    database.transaction(async (tx) => {
      for (const notice of await planNotices(tx, 'assessment_unfinished', data))
        await insertMemberNotice(tx, notice);
    }),
});

/** Plans the email to a member whose results have come. A later stage replaces an earlier one. */
export const notifyOfResults = task<Data>({
  name: 'notifications.notifyOfResults',
  ...settings,
  run: ({ database }, data) =>
    database.transaction(async (tx) => {
      for (const notice of await planNotices(tx, 'results_ready', data))
        await replaceMemberNotice(tx, notice);
    }),
});

/** Plans the email to a member to whom a credential is offered. Further offers within ten minutes are in the same email. */
export const notifyOfOffer = task<Data>({
  name: 'notifications.notifyOfOffer',
  ...settings,
  run: ({ database }, data) =>
    database.transaction(async (tx) => {
      for (const notice of await planNotices(tx, 'credential_offered', data))
        await replaceMemberNotice(tx, notice);
    }),
});

async function planNotices(
  tx: Parameters<typeof insertMemberNotice>[0],
  kind: MemberNoticeKind,
  { member_id, at }: Data,
) {
  const { user_ids } = await findMemberAccounts(tx, member_id);
  return user_ids.map((user_id) => planMemberNotice({ user_id, kind, member_id }, new Date(at)));
}
