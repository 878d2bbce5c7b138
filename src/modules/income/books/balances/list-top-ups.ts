import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { computeFirstAnnounced } from './rules.ts';
import { listWaiting } from './store.ts';
import { toWaitingListWire, waitingListWire } from './wire.ts';

const listed_max = 100;

export const listTopUps = operation({
  name: 'books.listTopUps',
  title: 'List announced top-ups',
  summary:
    'Lists the top-ups that organisations have announced in the last 60 days and whose money is not recorded: at most the 100 oldest.',
  who: ['platform_admin'],
  input: Type.Object({}),
  output: { 200: waitingListWire },
  refuses: [],
  run: async ({ database, now }) =>
    toWaitingListWire(await listWaiting(database, computeFirstAnnounced(now()), listed_max)),
});
