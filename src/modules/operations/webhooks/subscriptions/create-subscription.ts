import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { lockOrganisation } from '#modules/organisations/orgs';
import { operation } from '#platform/operation.ts';
import { subscriptionResource } from '../resource.ts';
import { checkSecret, subscriptions_max } from '../rules.ts';
import { secretInput, subscriptionWithSecretWire } from '../wire.ts';
import { checkUrl } from './check-url.ts';
import { generateSecret, sealSecret } from '../secrets.ts';
import { countSubscriptions, insertSubscription } from '../store-subscriptions.ts';

export const createSubscription = operation({
  name: 'webhooks.createSubscription',
  title: 'Subscribe to events',
  summary:
    'Subscribes a URL to events, all of them by default. The reply has the secret with which deliveries are signed, and no other reply shows it.',
  who: ['org_admin'],
  input: Type.Object({ ...subscriptionResource.createInput, secret: Type.Optional(secretInput) }),
  output: { 201: subscriptionWithSecretWire },
  refuses: ['organisation_not_found', 'webhook_limit_reached'],
  idempotent: true,
  location: ({ id }) => `/webhooks/${id}`,
  checks: [({ url }, { config }) => checkUrl(config, url), ({ secret }) => checkSecret(secret)],
  run: (context, { secret = generateSecret(), ...input }) => {
    const { caller, secrets, now } = context;
    const { url, events } = subscriptionResource.complete(input);
    return context.transaction(async (tx) => {
      const { org_id } = caller;
      if (!(await lockOrganisation(tx, org_id))) throw new Refusal('organisation_not_found');
      if ((await countSubscriptions(tx, org_id)) >= subscriptions_max)
        throw new Refusal('webhook_limit_reached');
      const created = await insertSubscription(tx, {
        org_id,
        id: randomUUID(),
        url,
        events,
        secret_sealed: sealSecret(secrets, secret),
        created_at: now(),
      });
      const detail = { subscription_id: created.id };
      await recordCallerAudit(context, tx, { action: 'webhooks.created', org_id, detail });
      return { ...subscriptionResource.toWire(created), secret };
    });
  },
});
