import type { Micros } from '#lib/money.ts';
import type { Receipt } from '#platform/operation.ts';
import type { Claim, ProtocolVersion, Purchase, Rail } from './rules.ts';

/** A payment whose money has arrived. */
export type SettledPayment = {
  readonly claimId: string;
  readonly rail: Rail;
  readonly protocolVersion: ProtocolVersion;
  /** What was paid, which is at least the price. */
  readonly amount: Micros;
  /** The address that paid; null on the mock rail. */
  readonly payer: string | null;
  /** The hash of the transaction; null on the mock rail. */
  readonly transaction: string | null;
  /** The receipt, as a header of the reply. */
  readonly receiptHeader: Receipt | null;
  readonly purchase: Purchase;
};

/** Describes a claim whose money has arrived. @param purchase The one that the claim was made for. */
export function toSettledPayment(claim: Claim, purchase: Purchase): SettledPayment {
  const { id, rail, protocol_version, amount_micro, payer, transaction } = claim;
  return {
    claimId: id,
    rail,
    protocolVersion: protocol_version,
    amount: BigInt(amount_micro),
    payer,
    transaction,
    receiptHeader: buildReceiptHeader(claim, { success: true }),
    purchase,
  };
}

/** How an attempt to settle ended, as the receipt says it. */
type Outcome = { readonly success: true } | { readonly success: false; readonly errorReason: string };

/** Builds the receipt of the x402 protocol (SettlementResponse), of the version in which the payment was presented. */
export function buildReceiptHeader(
  claim: Pick<Claim, 'protocol_version' | 'payer' | 'network' | 'transaction'>,
  outcome: Outcome,
): Receipt {
  const { protocol_version, payer, network, transaction } = claim;
  const receipt = {
    ...outcome,
    ...(payer !== null && { payer }),
    transaction: transaction ?? '',
    network: network ?? mock_network,
  };
  return {
    name: protocol_version === 'x402-v1' ? 'X-PAYMENT-RESPONSE' : 'PAYMENT-RESPONSE',
    value: Buffer.from(JSON.stringify(receipt)).toString('base64'),
  };
}

/** The network of the mock rail in receipts and terms. */
const mock_network = 'tessera:mock';
