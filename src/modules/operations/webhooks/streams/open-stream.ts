import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { lockOrganisation } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import { readWorldTime } from '#platform/clock.ts';
import { operation } from '#platform/operation.ts';
import { patternText } from '#platform/schema.ts';
import { subscriptionResource } from '../resource.ts';
import { buildStreamUrl, checkSecret, streams_max, subscriptions_max } from '../rules.ts';
import { generateSecret, sealSecret, unsealSecret } from '../secrets.ts';
import { countSubscriptions } from '../store-subscriptions.ts';
import { secretInput, subscriptionWithSecretWire } from '../wire.ts';
import { countStreams, insertStream, reopenStream } from './store.ts';

const nameInput = patternText(
  '^[a-z0-9][a-z0-9._-]*$',
  'must be lower-case letters, digits, ".", "_" and "-"',
  {
    minLength: 1,
    maxLength: 60,
    description: 'The name of the stream. Programs that open the same name share its events.',
    examples: ['ada-laptop'],
  },
);

export const openStream = operation({
  name: 'webhooks.openStream',
  title: 'Open a stream of events',
  summary:
    'Opens a stream: a subscription whose events a program fetches, for example because it has no public address. A stream that exists keeps what waits in it. The reply has the secret every time. A stream that nobody uses for a day is deleted.',
  who: ['org_admin'],
  input: Type.Object({
    name: nameInput,
    events: subscriptionResource.createInput.events,
    secret: Type.Optional(secretInput),
  }),
  output: { 200: subscriptionWithSecretWire },
  refuses: ['organisation_not_found', 'stream_limit_reached', 'webhook_limit_reached'],
  checks: [({ secret }) => checkSecret(secret)],
  run: (context, { name, secret, ...input }) => {
    const { caller, secrets, now } = context;
    const { events } = subscriptionResource.complete({ url: '', ...input });
    return context.transaction(async (tx) => {
      const { org_id } = caller;
      if (!(await lockOrganisation(tx, org_id))) throw new Refusal('organisation_not_found');
      const asked = { org_id, url: buildStreamUrl(name), events, opened_at: readWorldTime(context) };
      const secret_sealed = secret === undefined ? null : sealSecret(secrets, secret);
      const known = await reopenStream(tx, { ...asked, secret_sealed });
      if (known)
        return { ...subscriptionResource.toWire(known), secret: unsealSecret(secrets, known.secret_sealed) };
      await requirePlace(tx, org_id);
      const chosen = secret ?? generateSecret();
      const created = await insertStream(tx, {
        ...asked,
        id: randomUUID(),
        created_at: now(),
        secret_sealed: sealSecret(secrets, chosen),
      });
      const detail = { subscription_id: created.id };
      await recordCallerAudit(context, tx, { action: 'webhooks.stream_opened', org_id, detail });
      return { ...subscriptionResource.toWire(created), secret: chosen };
    });
  },
});

async function requirePlace(tx: Transaction, org_id: string): Promise<void> {
  if ((await countStreams(tx, org_id)) >= streams_max) throw new Refusal('stream_limit_reached');
  if ((await countSubscriptions(tx, org_id)) >= subscriptions_max) throw new Refusal('webhook_limit_reached');
}
