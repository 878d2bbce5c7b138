import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { subscriptionResource } from '../resource.ts';
import { checkSecret } from '../rules.ts';
import { recallDeliveries } from '../sending/requests.ts';
import { secretInput, subscriptionWithSecretWire } from '../wire.ts';
import { generateSecret, sealSecret } from '../secrets.ts';
import { lockSubscription, replaceSecret } from '../store-subscriptions.ts';

export const rotateSecret = operation({
  name: 'webhooks.rotateSecret',
  title: 'Rotate the secret of a webhook',
  summary:
    'Gives a webhook subscription a new secret. For overlap_seconds, deliveries also have the signature by the previous secret, so that no delivery is refused while your server changes over.',
  who: ['org_admin'],
  input: Type.Object({
    subscription_id: uuid,
    secret: Type.Optional(secretInput),
    overlap_seconds: field(
      Type.Integer({ minimum: 0, maximum: 604_800, default: 86_400 }),
      'How long the previous secret is used as well, at most seven days. 0 for a secret that others may know.',
      86_400,
    ),
  }),
  output: { 200: subscriptionWithSecretWire },
  refuses: ['webhook_not_found'],
  idempotent: true,
  checks: [({ secret }) => checkSecret(secret)],
  run: (context, { subscription_id: id, secret = generateSecret(), overlap_seconds }) => {
    return context.transaction(async (tx) => {
      const { org_id } = context.caller;
      if (!(await lockSubscription(tx, { org_id, id }))) throw new Refusal('webhook_not_found');
      const expires_at =
        overlap_seconds === 0 ? null : new Date(context.now().getTime() + overlap_seconds * 1000);
      const sealed = sealSecret(context.secrets, secret);
      const rotated = await replaceSecret(tx, { org_id, id }, sealed, expires_at);
      tx.afterCommit(() => recallDeliveries(context, id));
      const detail = { subscription_id: id };
      await recordCallerAudit(context, tx, { action: 'webhooks.secret_rotated', org_id, detail });
      return { ...subscriptionResource.toWire(rotated), secret };
    });
  },
});
