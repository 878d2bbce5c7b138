import { Type } from 'typebox';
import { readBalances } from '../journals/store.ts';
import { operation } from '#platform/operation.ts';
import { countReads } from './store.ts';
import { earningsWire, toEarningsWire } from './wire.ts';

export const readEarnings = operation({
  name: 'books.readEarnings',
  summary:
    'Returns what the caller has earned from reads of their identity data: what is pending, available, being paid out and paid out.',
  who: ['member'],
  input: Type.Object({}),
  output: { 200: earningsWire },
  refuses: [],
  tools: [
    {
      name: 'read_earnings',
      title: 'Read earnings',
      kind: 'read',
      roles: ['member'],
      consent: 'Read what you have earned',
      description:
        'Returns what the person has earned from reads of their identity data: in total, pending, available and paid out, and from how many organisations. Amounts are in US dollars.',
    },
  ],
  run: async ({ database, caller, now }) => {
    const [balances, counts] = await Promise.all([
      readBalances(database, caller.member_id, now()),
      countReads(database, caller.member_id),
    ]);
    return toEarningsWire(balances, counts);
  },
});
