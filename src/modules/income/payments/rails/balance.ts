import { randomUUID } from 'node:crypto';
import { microsToNumber } from '#lib/money.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import type { NewPaidRead, PreparedPayment } from '../open-payment.ts';
import { buildPayment } from '../rules.ts';
import type { BalanceProof } from './proof.ts';

/**
 * Prepares a payment that takes the price from the prepaid balance of the organisation, in the transaction that stores the payment: either both are stored or neither. The
 * key pays once for its organisation; other organisations may use the same key.
 *
 * @throws Refusal `payment_underpaid` if the price is above what the client is willing to pay.
 */
export function prepareBalancePayment(
  { now: readClock }: Pick<Services, 'now'>,
  { balance_key, max_price }: BalanceProof,
  read: NewPaidRead,
): PreparedPayment {
  const { charge, reserve } = read;
  if (!charge) throw new Error('a payment from a balance needs what takes the money from it');
  if (max_price !== undefined && microsToNumber(read.price) > max_price)
    throw new Refusal('payment_underpaid', { detail: 'The price is above the max_price of the payment.' });
  const now = readClock();
  const payment = buildPayment(randomUUID(), read, now, {
    state: 'settled',
    rail: 'balance',
    protocol_version: 'balance',
    amount_micros: Number(read.price),
    settled_at: now,
  });
  const reserveAndCharge = async (tx: Transaction, amount_micros: number) => {
    await reserve?.(tx, amount_micros);
    await charge(tx, payment);
  };
  return {
    payment,
    keys: [buildBalanceKey(read.org_id, balance_key)],
    read: { ...read, reserve: reserveAndCharge },
  };
}

/** The key by which a payment from a balance is known. */
export function buildBalanceKey(org_id: string, balance_key: string): string {
  return `balance:${org_id}:${balance_key}`;
}
