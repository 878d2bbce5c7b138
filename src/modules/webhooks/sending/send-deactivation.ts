import { parallel_mails } from '#platform/mail.ts';
import { task } from '#platform/queue/task.ts';
import type { DeactivationReason } from '../rules.ts';
import { findSubscription } from '../subscriptions/store.ts';
import { findAdminAddress } from './store.ts';

type Data = {
  readonly org_id: string;
  readonly subscription_id: string;
  readonly user_id: string;
  readonly reason: DeactivationReason;
};

const reasons: Readonly<Record<DeactivationReason, string>> = {
  failures: 'ten attempts in a row have failed',
  gone: 'the server replied that the address is gone (HTTP status 410)',
};

/** Tells an administrator of the organisation that a webhook subscription was deactivated, unless it is active again or deleted. */
export const sendDeactivation = task<Data>({
  name: 'webhooks.sendDeactivation',
  retry_seconds: [10, 60, 300, 900],
  parallel: parallel_mails,
  group_by: ({ org_id }) => org_id,
  run: async ({ database, mailer, config }, { org_id, subscription_id, user_id, reason }) => {
    const subscription = await findSubscription(database, { org_id, id: subscription_id });
    const email = await findAdminAddress(database, org_id, user_id);
    if (!subscription || subscription.is_active || email === undefined) return;
    await mailer.send({
      to: email,
      subject: 'A webhook of your organisation was deactivated',
      text: `Hello,

Tessera at ${new URL(config.publicUrl).host} no longer sends events to the server

    ${new URL(subscription.url).host}

because ${reasons[reason]}. The subscription is ${subscription_id}.

GET ${config.publicUrl}/api/v1/webhooks/${subscription_id}/deliveries shows the attempts and their errors. Once the server works,
enable the subscription with PATCH {"is_active": true}, and send what it has missed with POST …/recover.
`,
    });
  },
});
