import { findMemberAccounts } from '#modules/access/accounts';
import { findMemberOffer } from '#modules/credentials/offers';
import { buildRevocationMail, mailTask, sendMail } from '#modules/operations/mail';
import { task } from '#platform/queue/task.ts';
import { findMemberRecipient } from './find-member-recipient.ts';
import { addUnsubscribeUrl } from './unsubscribe-token.ts';

type Data = { readonly offer_id: string; readonly member_id: string };

/** Queues the email to a member whose credential an organisation has revoked. */
export const notifyOfRevocation = task<Data>({
  name: 'notifications.notifyOfRevocation',
  retry_seconds: [10, 60, 300],
  group_by: ({ member_id }) => member_id,
  run: ({ database, queue }, data) =>
    database.transaction(async (tx) => {
      const { user_ids } = await findMemberAccounts(tx, data.member_id);
      for (const user_id of user_ids) await queue.send(tx, sendRevocationMail, { ...data, user_id });
    }),
});

const kind = 'credential_revoked';

/** Sends the email that an organisation has revoked a credential, with the reason, unless it is not wanted. */
export const sendRevocationMail = task<Data & { readonly user_id: string }>({
  name: 'notifications.sendRevocationMail',
  ...mailTask,
  group_by: ({ user_id }) => user_id,
  run: async (context, { offer_id, member_id, user_id }) => {
    const { database, config } = context;
    const offer = await findMemberOffer(database, { id: offer_id, member_id });
    const found = await findMemberRecipient(database, { user_id, member_id, kind });
    if (offer?.state !== 'revoked' || !found) return;
    const recipient = addUnsubscribeUrl(context, found.recipient, { user_id, scope: kind });
    await sendMail(context, recipient, buildRevocationMail(config.publicUrl, offer));
  },
});
