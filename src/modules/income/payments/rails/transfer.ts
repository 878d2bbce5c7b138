import { randomUUID } from 'node:crypto';
import { Refusal } from '#lib/refusal.ts';
import { serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { openSharedChain, type MinedTransaction, type TokenTransfer } from '../chain/chain.ts';
import { findEarlierClaim, openClaim, type NewPurchase } from '../claims/open-claim.ts';
import type { NewClaim } from '../claims/store.ts';
import type { HashProof } from '../proof.ts';
import type { Claim } from '../rules.ts';
import { listOwnWallets } from '../wallets/store.ts';
import { buildAuthorizationKey, buildLogKey } from './keys.ts';
import { refuseUnavailable } from './refuse.ts';
import { formatNetwork } from './terms.ts';
import {
  findFaultInTransfer,
  isOutdated,
  isTimely,
  isTransactionHash,
  judgeTransaction,
} from './transfer-rules.ts';

/**
 * Claims a transfer that the organisation made itself, by the hash of its transaction. In this order: the hash, the timestamp, the transaction with its
 * confirmations, an earlier claim, the token and the payee, the age, the wallet, the amount, the claim. A repeated request gets the claim of
 * the first.
 *
 * @throws Refusal as `claimPayment` does.
 */
export async function claimTransfer(
  services: Services,
  { tx_hash, timestamp }: HashProof,
  purchase: NewPurchase,
): Promise<Claim> {
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
  const earlier = await findEarlierClaim(services, keys, purchase, 'transfer').catch(
    refuseUnlessFree(judged.transfers),
  );
  if (earlier) return earlier;
  const blockTime = await chain.readBlockTime(mined!.block_number).catch(refuseUnavailable);
  if (isOutdated(blockTime, now())) throw new Refusal('payment_too_old');
  return claimMined(services, mined!, judged.transfers, purchase);
}

/** A transaction with several transfers can pay for several purchases. Those that are free are claimed below. */
function refuseUnlessFree(transfers: readonly TokenTransfer[]) {
  return (error: unknown) => {
    if (transfers.length > 1 && error instanceof Refusal && error.code === 'payment_already_used')
      return undefined;
    throw error;
  };
}

async function claimMined(
  services: Services,
  mined: MinedTransaction,
  transfers: readonly TokenTransfer[],
  purchase: NewPurchase,
): Promise<Claim> {
  const wallets = await listOwnWallets(serviceDatabase(services), purchase.orgId);
  const addresses = new Set(wallets.map(({ address }) => address));
  let refusal: Refusal | undefined;
  for (const transfer of transfers) {
    const fault = findFaultInTransfer(transfer, purchase.price, addresses);
    try {
      if (fault) throw new Refusal(fault);
      return await claimOne(services, mined, transfer, purchase);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal ??= error;
    }
  }
  // There was at least one transfer.
  throw refusal!;
}

async function claimOne(
  services: Services,
  mined: MinedTransaction,
  transfer: TokenTransfer,
  purchase: NewPurchase,
): Promise<Claim> {
  const settings = services.config.payments.chain!;
  // A transfer by authorisation could be presented as one too.
  const authorizations = mined.authorizations.filter(({ from }) => from === transfer.from);
  const keys = [
    buildLogKey(settings, mined.hash, transfer.log_index),
    ...authorizations.map(({ from, nonce }) => buildAuthorizationKey(settings, from, nonce)),
  ];
  const claim = buildClaim(services, mined, transfer, purchase);
  const earlier = await openClaim(services, claim, keys, purchase);
  return earlier ?? { ...claim, reason: null, attempted_at: claim.created_at };
}

function buildClaim(
  { now, config }: Services,
  { hash }: MinedTransaction,
  { from, to, value, log_index }: TokenTransfer,
  purchase: NewPurchase,
): NewClaim {
  const settings = config.payments.chain!;
  return {
    id: randomUUID(),
    state: 'settled',
    rail: 'transfer',
    protocol_version: 'tx-hash',
    org_id: purchase.orgId,
    user_id: purchase.userId,
    member_id: purchase.memberId,
    tool: purchase.tool,
    data_type: purchase.dataType,
    marketplace_member_id: purchase.marketplaceMemberId ?? null,
    grant_id: purchase.grantId ?? null,
    price_micro: Number(purchase.price),
    amount_micro: Number(value),
    network: formatNetwork(settings),
    asset: settings.asset,
    payer: from,
    pay_to: to,
    nonce: null,
    valid_before: null,
    transaction: hash,
    log_index,
    attempt_until: null,
    created_at: now(),
    settled_at: now(),
  };
}

const block_seconds = '3';

function refuse(code: Refusal['code']): Refusal {
  return code === 'payment_unconfirmed' || code === 'payment_not_found'
    ? new Refusal(code, { headers: { 'retry-after': block_seconds } })
    : new Refusal(code);
}
