import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field, nullable } from '#platform/schema.ts';
import { showBalance } from './read-balance.ts';
import { top_up_max } from './rules.ts';
import { upsertWarning } from './store.ts';
import { balanceWire, readAmount } from './wire.ts';

export const setBalanceWarning = operation({
  name: 'books.setBalanceWarning',
  title: 'Set the warning of a low balance',
  summary:
    'Sets below which amount the administrators get an email, once each time that a read takes the balance below it.',
  who: ['org_admin'],
  input: closedObject({
    warn_below: field(
      nullable(Type.Number({ minimum: 0.01, maximum: top_up_max })),
      'The amount in US dollars; null for no email.',
      5,
    ),
  }),
  output: { 200: balanceWire },
  refuses: [],
  checks: [({ warn_below }) => void (warn_below !== null && readAmount(warn_below, '/warn_below'))],
  run: (context, { warn_below }) =>
    context.transaction(async (tx) => {
      const amount = warn_below === null ? null : readAmount(warn_below, '/warn_below');
      await upsertWarning(tx, context.caller.org_id, amount);
      return showBalance(context, tx);
    }),
});
