import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { microsFromNumber, type Micros } from '#lib/money.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { queueNotice, requireEmail } from '#modules/access/accounts';
import { lockMemberShared } from '#modules/people/members';
import { findBrokenConstraint, type Transaction } from '#platform/database/database.ts';
import type { Config } from '#platform/config.ts';
import { operation } from '#platform/operation.ts';
import { postJournal } from '../journals/post-journal.ts';
import { buildPayoutJournal, findPayoutFault, type Payout } from './rules.ts';
import { readBalances } from '../journals/store.ts';
import { amountInput, destinationInput, payoutWire, toPayoutWire } from './wire.ts';
import { sendPayouts } from './send-payouts.ts';
import { insertPayout, updateAmount } from './store.ts';

export const requestPayout = operation({
  name: 'books.requestPayout',
  summary:
    'Pays out available income to an address on the chain. One payout is in progress at a time. The money leaves in the background: GET /members/me/payouts shows how far it is.',
  who: ['member'],
  input: Type.Object({ amount: Type.Optional(amountInput), destination: destinationInput }),
  output: { 201: payoutWire },
  refuses: [
    'account_pending_deletion',
    'account_suspended',
    'member_not_found',
    'payout_in_progress',
    'payout_below_minimum',
    'balance_too_low',
    'payouts_unavailable',
    'email_missing',
  ],
  idempotent: true,
  checks: [
    ({ destination }, { config }) => (config.payout_rail ? checkDestination(config, destination) : undefined),
    ({ amount }) => void (amount !== undefined && readAmount(amount)),
  ],
  run: async (context, { amount, destination }) => {
    const { caller, config } = context;
    const rail = config.payout_rail;
    if (!rail) throw new Refusal('payouts_unavailable');
    const wanted = amount === undefined ? undefined : readAmount(amount);
    const minimum = 10_000n * BigInt(config.payout_minimum_cents);
    return context.transaction(async (tx) => {
      await requireActive(tx, caller.member_id);
      await requireEmail(tx, caller.user_id);
      const requested = createPayout(caller.member_id, { rail, destination, now: context.now() });
      const payout = await reserveMoney(tx, requested, { wanted, minimum });
      await postJournal(tx, buildPayoutJournal(payout));
      await context.queue.send(tx, sendPayouts, {});
      await queueNotice(context, tx, caller.user_id, 'payout_requested');
      await recordCallerAudit(context, tx, {
        action: 'ledger.payout_requested',
        member_id: caller.member_id,
        detail: { payout_id: payout.id },
      });
      return toPayoutWire(payout);
    });
  },
});

const zero_address = `0x${'0'.repeat(40)}`;

/**
 * Checks the address of a payout: its checksum (EIP-55), if it has capital letters, and that the money does not stay with the service or get lost.
 *
 * @throws Refusal `field_invalid`.
 */
async function checkDestination({ payments }: Config, destination: string): Promise<void> {
  const digits = destination.slice(2);
  // The library of the chain takes long to load, and an address in one case has no checksum.
  if (digits !== digits.toLowerCase()) {
    const { isAddress } = await import('viem');
    if (!isAddress(destination, { strict: true }))
      throw createFieldRefusal(
        'field_invalid',
        '/destination',
        'must have the capital letters of its checksum, or none',
      );
  }
  const own = [zero_address, payments.chain?.payTo, payments.chain?.asset];
  if (own.includes(destination.toLowerCase()))
    throw createFieldRefusal('field_invalid', '/destination', 'must be an address of your own');
}

/**
 * Requires that the account is active, and keeps it so until the transaction ends. A payout that was requested after its member was marked for
 * deletion could otherwise be posted while an erasure moves the books, and stay with the member's id.
 *
 * @throws Refusal `account_pending_deletion`, `account_suspended`, `member_not_found`.
 */
async function requireActive(tx: Transaction, member_id: string): Promise<void> {
  const member = await lockMemberShared(tx, member_id);
  if (!member) throw new Refusal('member_not_found');
  if (member.account_status === 'pending_deletion') throw new Refusal('account_pending_deletion');
  if (member.account_status === 'suspended') throw new Refusal('account_suspended');
}

function readAmount(amount: number): Micros {
  try {
    return microsFromNumber(amount);
  } catch {
    throw createFieldRefusal('field_invalid', '/amount', 'must have at most six decimals');
  }
}

type Way = Pick<Payout, 'rail' | 'destination'> & { readonly now: Date };

/** A payout whose amount is not known yet. */
function createPayout(member_id: string, { rail, destination, now }: Way): Omit<Payout, 'amount'> {
  return {
    holder_id: member_id,
    id: randomUUID(),
    kind: 'income',
    status: 'requested',
    rail,
    destination,
    payment_id: null,
    transaction_hash: null,
    signed_transaction: null,
    earlier_hashes: [],
    signed_at: null,
    requested_at: now,
    ended_at: null,
  };
}

/**
 * Adds the payout, and checks its amount after that: the row makes another payout of the member wait, and so the balance is read when no other
 * can change it. Reads do not wait.
 *
 * @throws Refusal `payout_in_progress`, `payout_below_minimum`, `balance_too_low`.
 */
async function reserveMoney(
  tx: Transaction,
  requested: Omit<Payout, 'amount'>,
  { wanted, minimum }: { readonly wanted: Micros | undefined; readonly minimum: Micros },
): Promise<Payout> {
  await insertPayout(tx, { ...requested, amount: wanted ?? minimum }).catch(refuseSecond);
  const { available } = await readBalances(tx, requested.holder_id, requested.requested_at);
  const payout = { ...requested, amount: wanted ?? available };
  const fault = findPayoutFault(payout.amount, { available, minimum });
  if (fault) throw new Refusal(fault);
  if (wanted === undefined) await updateAmount(tx, payout);
  return payout;
}

function refuseSecond(error: unknown): never {
  if (findBrokenConstraint(error) === 'payouts_open') throw new Refusal('payout_in_progress');
  throw error;
}
