import { randomUUID } from 'node:crypto';
import { microsToNumber } from '#lib/money.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Services } from '#platform/platform.ts';
import { openPayment, type NewPaidRead } from '../open-payment.ts';
import { buildPayment, type Payment } from '../rules.ts';
import type { BalanceProof } from './proof.ts';

/**
 * Takes the price from the prepaid balance of the organisation, in the transaction that stores the payment: either both are stored or neither. The key pays
 * once for its organisation; other organisations may use the same key.
 *
 * @throws Refusal `payment_underpaid` if the price is above what the client is willing to pay, `payment_already_used`, and what `charge` throws.
 */
export async function takeBalancePayment(
  services: Services,
  { balance_key, max_price }: BalanceProof,
  read: NewPaidRead,
): Promise<Payment> {
  const { charge, reserve } = read;
  if (!charge) throw new Error('a payment from a balance needs what takes the money from it');
  if (max_price !== undefined && microsToNumber(read.price) > max_price)
    throw new Refusal('payment_underpaid', { detail: 'The price is above the max_price of the payment.' });
  const now = services.now();
  const built = buildPayment(randomUUID(), read, now, {
    state: 'settled',
    rail: 'balance',
    protocol_version: 'balance',
    amount_micros: Number(read.price),
    settled_at: now,
  });
  const { payment } = await openPayment(services, built, [buildBalanceKey(read.org_id, balance_key)], {
    ...read,
    reserve: async (tx, amount_micros) => {
      await reserve?.(tx, amount_micros);
      await charge(tx, built);
    },
  });
  return payment;
}

/** The key by which a payment from a balance is known. */
export function buildBalanceKey(org_id: string, balance_key: string): string {
  return `balance:${org_id}:${balance_key}`;
}
