import { Type } from 'typebox';
import { microsToNumber } from '#lib/money.ts';
import { operation } from '#platform/operation.ts';
import type { Payment } from './rules.ts';
import { listUnfinishedPayments } from './store.ts';
import { unresolvedListWire } from './wire.ts';

const payments_max = 100;

export const listUnresolved = operation({
  name: 'payments.listUnresolved',
  title: 'List unresolved payments',
  summary:
    'Lists the payments whose outcome is not known, or that have no read yet: at most the 100 oldest. Tasks resolve them; one that stays needs the operator.',
  who: ['platform_admin'],
  input: Type.Object({}),
  output: { 200: unresolvedListWire },
  refuses: [],
  run: async ({ database }) => ({
    data: (await listUnfinishedPayments(database, payments_max)).map(toUnresolvedWire),
  }),
});

/** Without the member: what an organisation buys about whom is not the operator's to read. */
function toUnresolvedWire(payment: Payment) {
  const { id, state, rail, org_id, data_type, amount_micros, payer, transaction, reason } = payment;
  return {
    id,
    // The store lists only these.
    state: state as 'claimed' | 'settling' | 'unknown' | 'settled',
    rail,
    org_id,
    data_type,
    amount: microsToNumber(BigInt(amount_micros)),
    payer,
    transaction,
    reason,
    created_at: payment.created_at.toISOString(),
    attempted_at: payment.attempted_at.toISOString(),
  };
}
