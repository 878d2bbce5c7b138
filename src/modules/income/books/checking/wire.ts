import { Type, type Static } from 'typebox';
import { microsToNumber, type Micros } from '#lib/money.ts';
import type { Payout } from '../payouts/rules.ts';
import type { BooksReport } from './rules.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { closedObject, field, nullable, timestamp, uuid } from '#platform/schema.ts';

const amount = Type.Number();
const count = Type.Integer({ minimum: 0 });
const faults_max = 100;

const payoutInProgressWire = closedObject(
  {
    id: field(uuid, 'The id of the payout.', sampleIds.entry),
    kind: field(
      Type.Enum(['income', 'refund']),
      'Income of a member, or a payment that goes back to its payer.',
      'income',
    ),
    status: field(Type.Enum(['requested', 'sending']), 'How far it has come.', 'sending'),
    amount: field(amount, 'The amount in US dollars.', 12.5),
    transaction_hash: field(
      nullable(Type.String()),
      'The transaction on the chain; null before it is signed.',
      null,
    ),
    requested_at: field(timestamp, 'When it was requested.', '2026-03-12T09:00:00.000Z'),
  },
  { $id: 'PayoutInProgress' },
);

/** The state of the books, for the operator: sums and ids, and no member. */
export const booksWire = closedObject(
  {
    checked_at: field(timestamp, 'When the books were checked.', '2026-03-12T09:00:00.000Z'),
    balanced: field(Type.Boolean(), 'Whether the check found nothing wrong.', true),
    currency: field(Type.Enum(['USD']), 'The currency of all amounts.', 'USD'),
    accounts: field(
      closedObject({
        cash_mock: field(amount, 'Cash of the mock rail.', 4),
        cash_chain: field(amount, 'Cash of the rails transfer and x402.', 0),
        cash_bank: field(amount, 'Cash that has arrived for prepaid balances.', 0),
        platform_income: field(amount, 'What the operator has earned.', -1),
        member_income: field(amount, 'What members have earned and not been paid.', -3),
        payouts_in_progress: field(amount, 'Money on its way.', 0),
        owed_to_payers: field(amount, 'Payments whose payer is not known.', 0),
        prepaid_balance: field(amount, 'What organisations have left in their balances.', 0),
        balance_in_use: field(amount, 'What left a balance for a read that is being made.', 0),
      }),
      'The trial balance: debits are positive, credits negative, and all of them sum to zero.',
    ),
    cash: field(
      nullable(
        closedObject({
          books: field(amount, 'What the books have on the chain.', 30),
          chain: field(amount, 'What is there.', 30),
          sent: field(amount, 'What may have left by payouts that are being sent.', 0),
          is_behind: field(
            Type.Boolean(),
            'Whether the newest block of the node is older than the books, so that the two cannot be compared.',
            false,
          ),
        }),
      ),
      'The cash compared with the chain; null if no chain is configured, or it did not answer.',
      null,
    ),
    fault_count: field(count, 'How many faults were found.', 0),
    faults: field(
      Type.Array(
        closedObject({
          code: field(
            Type.Enum([
              'trial_balance',
              'journal_unbalanced',
              'journal_empty',
              'share_wrong',
              'checkpoint_wrong',
              'payout_wrong',
              'payout_stuck',
              'cash_missing',
              'read_without_journal',
              'journal_without_read',
              'read_amount_wrong',
              'payment_without_read',
              'payment_without_refund',
              'charge_wrong',
              'balance_wrong',
              'balance_in_use_wrong',
            ]),
            'What is wrong.',
            'payout_stuck',
          ),
          id: field(
            nullable(uuid),
            'The journal, payout, read or payment, or the holder of a checkpoint or balance.',
            sampleIds.entry,
          ),
          detail: field(Type.String(), 'The fault in words.', 'sending since 11 March 2026 at 09:00 UTC'),
        }),
      ),
      'The first 100 faults.',
      [],
    ),
    payouts: field(Type.Array(payoutInProgressWire), 'The payouts in progress, at most the 100 oldest.', []),
  },
  { $id: 'Books' },
);

type Checked = {
  readonly checked_at: Date;
  readonly report: BooksReport;
  readonly payouts: readonly Payout[];
};

export function toBooksWire({ checked_at, report, payouts }: Checked): Static<typeof booksWire> {
  const { balances, cash, faults } = report;
  return {
    checked_at: checked_at.toISOString(),
    balanced: faults.length === 0,
    currency: 'USD',
    accounts: toAmounts(balances),
    cash: cash && {
      ...toAmounts({ books: cash.books, chain: cash.chain, sent: cash.sent }),
      is_behind: cash.is_behind,
    },
    fault_count: faults.length,
    faults: faults.slice(0, faults_max).map(({ code, id, detail }) => ({ code, id, detail })),
    payouts: payouts.map((payout) => ({
      id: payout.id,
      kind: payout.kind,
      status: payout.status === 'sending' ? 'sending' : 'requested',
      amount: microsToNumber(payout.amount),
      transaction_hash: payout.transaction_hash,
      requested_at: payout.requested_at.toISOString(),
    })),
  };
}

function toAmounts<Name extends string>(amounts: Readonly<Record<Name, Micros>>): Record<Name, number> {
  const entries = Object.entries<Micros>(amounts).map(([name, micros]) => [name, microsToNumber(micros)]);
  // `Object.fromEntries` returns the names as plain strings.
  return Object.fromEntries(entries) as Record<Name, number>;
}
