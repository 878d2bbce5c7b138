import { Type } from 'typebox';
import { roles } from '#lib/caller.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { webhookEvents } from '../sent-events.ts';

export const listEvents = operation({
  name: 'webhooks.listEvents',
  title: 'List the kinds of events',
  summary: 'Lists the names of the events to which a webhook can subscribe.',
  who: roles,
  output: {
    200: closedObject({
      events: field(Type.Array(Type.String()), 'The names of all events.', [...webhookEvents]),
    }),
  },
  run: async () => ({ events: [...webhookEvents] as string[] }),
});
