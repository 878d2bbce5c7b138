import { randomUUID } from 'node:crypto';
import { Refusal } from '#lib/refusal.ts';
import { serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { openSharedChain, type MinedTransaction, type TokenTransfer } from '../chain/chain.ts';
import { findEarlierPayment, openPayment, type NewPaidRead } from '../open-payment.ts';
import type { HashProof } from './proof.ts';
import { buildPayment, type Payment } from '../rules.ts';
import { listOwnWallets } from '../wallets/store.ts';
import { refuseUnavailable } from '../chain/chain-unavailable.ts';
import { buildAuthorizationKey, buildLogKey, formatNetwork } from './terms.ts';
import {
  findFaultInTransfer,
  isOutdated,
  isTimely,
  isTransactionHash,
  judgeTransaction,
} from './transfer-rules.ts';

/**
 * Claims a transfer that the organisation made itself, by the hash of its transaction. In this order: the hash, the timestamp, the transaction with its
 * confirmations, an earlier payment, the token and the payee, the age, the wallet, the amount, the payment. A repeated request gets the payment of
 * the first.
 *
 * @throws Refusal as `takePayment` does.
 */
export async function takeTransfer(
  services: Services,
  { tx_hash, timestamp }: HashProof,
  read: NewPaidRead,
): Promise<Payment> {
  const { config, now } = services;
  if (!isTransactionHash(tx_hash))
    throw new Refusal('malformed_payment', {
      detail: 'The payment has a tx_hash that is not 0x and 64 hexadecimal digits.',
    });
  if (config.production && !isTimely(timestamp, now())) throw new Refusal('payment_timestamp_skewed');
  const chain = await openSharedChain(services).catch(refuseUnavailable);
  const mined = await chain.readMined(tx_hash).catch(refuseUnavailable);
  const judged = judgeTransaction(mined, config.payments.chain!);
  if ('fault' in judged) throw refuse(judged.fault);
  // A transaction that was judged is mined.
  const keys = judged.transfers.map(({ log_index }) =>
    buildLogKey(config.payments.chain!, tx_hash, log_index),
  );
  const earlier = await findEarlierPayment(services, keys, read, 'transfer').catch(
    refuseUnlessFree(judged.transfers),
  );
  if (earlier) return earlier;
  const blockTime = await chain.readBlockTime(mined!.block_number).catch(refuseUnavailable);
  if (isOutdated(blockTime, now())) throw new Refusal('payment_too_old');
  return takeMined(services, mined!, judged.transfers, read);
}

/** A transaction with several transfers can pay for several reads. Those that are free are claimed below. */
function refuseUnlessFree(transfers: readonly TokenTransfer[]) {
  return (error: unknown) => {
    if (transfers.length > 1 && error instanceof Refusal && error.code === 'payment_already_used')
      return undefined;
    throw error;
  };
}

async function takeMined(
  services: Services,
  mined: MinedTransaction,
  transfers: readonly TokenTransfer[],
  read: NewPaidRead,
): Promise<Payment> {
  const wallets = await listOwnWallets(serviceDatabase(services), read.org_id);
  const addresses = new Set(wallets.map(({ address }) => address));
  let refusal: Refusal | undefined;
  for (const transfer of transfers) {
    const fault = findFaultInTransfer(transfer, read.price, addresses);
    try {
      if (fault) throw new Refusal(fault);
      return await takeOne(services, mined, transfer, read);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal ??= error;
    }
  }
  // There was at least one transfer.
  throw refusal!;
}

async function takeOne(
  services: Services,
  mined: MinedTransaction,
  transfer: TokenTransfer,
  read: NewPaidRead,
): Promise<Payment> {
  const settings = services.config.payments.chain!;
  // A transfer by authorisation could be presented as one too.
  const authorizations = mined.authorizations.filter(({ from }) => from === transfer.from);
  const keys = [
    buildLogKey(settings, mined.hash, transfer.log_index),
    ...authorizations.map(({ from, nonce }) => buildAuthorizationKey(settings, from, nonce)),
  ];
  const now = services.now();
  const built = buildPayment(randomUUID(), read, now, {
    state: 'settled',
    rail: 'transfer',
    protocol_version: 'tx-hash',
    amount_micros: Number(transfer.value),
    network: formatNetwork(settings),
    asset: settings.asset,
    payer: transfer.from,
    pay_to: transfer.to,
    transaction: mined.hash,
    log_index: transfer.log_index,
    settled_at: now,
  });
  const { payment } = await openPayment(services, built, keys, read);
  return payment;
}

const block_seconds = '3';

function refuse(code: Refusal['code']): Refusal {
  return code === 'payment_unconfirmed' || code === 'payment_not_found'
    ? new Refusal(code, { headers: { 'retry-after': block_seconds } })
    : new Refusal(code);
}
