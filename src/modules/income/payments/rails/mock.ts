import { randomUUID } from 'node:crypto';
import type { Services } from '#platform/platform.ts';
import type { NewPaidRead, PreparedPayment } from '../open-payment.ts';
import { buildPayment } from '../rules.ts';
import type { HashProof } from './proof.ts';

/**
 * Prepares any payment, for development: no money moves. The client chooses the `tx_hash`, which pays once, as a real one does. The
 * configuration refuses this rail in production.
 */
export function prepareMockPayment(
  { now: readClock }: Pick<Services, 'now'>,
  { tx_hash }: HashProof,
  read: NewPaidRead,
): PreparedPayment {
  const now = readClock();
  const payment = buildPayment(randomUUID(), read, now, {
    state: 'settled',
    rail: 'mock',
    protocol_version: 'mock',
    amount_micros: Number(read.price),
    settled_at: now,
  });
  return { payment, keys: [`mock:${tx_hash}`], read };
}

/**
 * Makes a payment of the mock rail up, for a request that offers a price and has no payment. A repetition of the request makes the same payment up,
 * so that it continues a purchase whose process was lost after the payment, instead of buying once more.
 */
export function createMockProof(now: Date, repeat_id: string | undefined): HashProof {
  const tx_hash = `offer-${repeat_id ?? randomUUID()}`;
  return { kind: 'hash', tx_hash, timestamp: Math.floor(now.getTime() / 1000) };
}
