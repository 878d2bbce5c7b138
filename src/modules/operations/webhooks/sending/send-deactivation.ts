import { findGreetingName, findReachableUser } from '#modules/access/accounts';
import { buildDeactivation, mailTask, sendMail } from '#modules/operations/mail';
import { task } from '#platform/queue/task.ts';
import type { DeactivationReason } from '../rules.ts';
import { findSubscription } from '../store-subscriptions.ts';

type Data = {
  readonly org_id: string;
  readonly subscription_id: string;
  readonly user_id: string;
  readonly reason: DeactivationReason;
};

/** Tells an administrator of the organisation that a webhook subscription was deactivated, unless it is active again or deleted. */
export const sendDeactivation = task<Data>({
  name: 'webhooks.sendDeactivation',
  ...mailTask,
  group_by: ({ org_id }) => org_id,
  run: async (context, { org_id, subscription_id, user_id, reason }) => {
    const { database, config } = context;
    const subscription = await findSubscription(database, { org_id, id: subscription_id });
    const user = await findReachableUser(database, { org_id, user_id });
    if (!subscription || subscription.is_active || !user?.is_admin || user.is_organisation_suspended) return;
    const name = await findGreetingName(database, user_id);
    const { url } = subscription;
    await sendMail(
      context,
      { email: user.email, name },
      buildDeactivation(config.publicUrl, { id: subscription_id, url, reason }),
    );
  },
});
