import type { Micros } from '#lib/money.ts';
import type { Receipt } from '#platform/operation.ts';
import type { NewPayment, Payment, ProtocolVersion, PaidRead, Rail } from './rules.ts';

/** A payment whose money has arrived, for a read. */
export type SettledPayment<Read = PaidRead> = {
  readonly payment_id: string;
  readonly rail: Rail;
  readonly protocol_version: ProtocolVersion;
  /** What was paid, which is at least the price. */
  readonly amount: Micros;
  /** What was agreed in Australian dollars, for a read on the marketplace; null if what was paid is not what the offer was worth. */
  readonly price_aud: Micros | null;
  /** The address that paid; null on the rails mock and balance. */
  readonly payer: string | null;
  /** The hash of the transaction; null on the rails mock and balance. */
  readonly transaction: string | null;
  /** The receipt, as a header of the reply. */
  readonly receipt: Receipt | null;
  readonly read: Read;
};

/** Describes a payment whose money has arrived. @param read The one that the payment was made for. */
export function toSettledPayment<Read>(payment: NewPayment, read: Read): SettledPayment<Read> {
  const { id, rail, protocol_version, amount_micros, price_aud_micros, payer, transaction } = payment;
  return {
    payment_id: id,
    rail,
    protocol_version,
    amount: BigInt(amount_micros),
    price_aud: price_aud_micros === null ? null : BigInt(price_aud_micros),
    payer,
    transaction,
    receipt: buildReceiptHeader(payment, { success: true }),
    read,
  };
}

/** How an attempt to settle ended, as the receipt says it. */
type Outcome = { readonly success: true } | { readonly success: false; readonly errorReason: string };

/** Builds the receipt of the x402 protocol (SettlementResponse), of the version in which the payment was presented. */
export function buildReceiptHeader(
  payment: Pick<Payment, 'protocol_version' | 'payer' | 'network' | 'transaction'>,
  outcome: Outcome,
): Receipt {
  const { protocol_version, payer, network, transaction } = payment;
  const receipt = {
    ...outcome,
    ...(payer !== null && { payer }),
    transaction: transaction ?? '',
    network: network ?? (protocol_version === 'balance' ? balance_network : mock_network),
  };
  return {
    name: protocol_version === 'x402-v1' ? 'X-PAYMENT-RESPONSE' : 'PAYMENT-RESPONSE',
    value: Buffer.from(JSON.stringify(receipt)).toString('base64'),
  };
}

/** The networks of payments without a chain, in receipts. */
const mock_network = 'tessera:mock';
const balance_network = 'tessera:balance';
