import { findGreetingName } from '#modules/access/accounts';
import { renderMail } from '#platform/mail-template.ts';
import { parallel_mails } from '#platform/mail.ts';
import { task } from '#platform/queue/task.ts';
import type { DeactivationReason, Subscription } from '../rules.ts';
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
    const to = await findAdminAddress(database, org_id, user_id);
    if (!subscription || subscription.is_active || to === undefined) return;
    const name = await findGreetingName(database, user_id);
    await mailer.send({ to, ...buildMail(config.publicUrl, { name, subscription, reason }) });
  },
});

type MailFacts = Pick<Data, 'reason'> & {
  readonly name: string | undefined;
  readonly subscription: Subscription;
};

function buildMail(publicUrl: string, { name, subscription, reason }: MailFacts) {
  const { id, url } = subscription;
  return renderMail({
    subject: 'A webhook of your organisation was deactivated',
    name,
    publicUrl,
    parts: [
      `Tessera no longer sends events to ${new URL(url).host}, because ${reasons[reason]}.`,
      'See the attempts and their errors. Once the server works, enable the subscription, and then recover what it has missed:',
      { link: `${publicUrl}/app/webhooks/${id}`, label: 'See what went wrong' },
      {
        program: `A program can read GET ${publicUrl}/api/v1/webhooks/${id}/deliveries, enable the subscription with PATCH {"is_active": true}, and recover what it has missed with POST /webhooks/${id}/recover.`,
      },
    ],
  });
}
