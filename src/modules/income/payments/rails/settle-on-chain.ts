import { Refusal } from '#lib/refusal.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import type { Chain, MinedTransaction, TokenTransfer } from '../chain/chain.ts';
import { ChainUnavailableError } from '../chain/chain-unavailable.ts';
import { commitWithoutWaiting, endAttempt, findPayment, insertKeys, settlePayment } from '../store.ts';
import type { Payment } from '../rules.ts';
import { buildReceiptHeader } from '../settled-payment.ts';
import type { Settlement } from './facilitator.ts';
import { buildLogKey } from './terms.ts';
import { refuseUnresolved } from '../end-payment.ts';
import { toRefusalCode } from './x402-rules.ts';

type Hex = `0x${string}`;

/** A transfer by authorisation that the chain must show, not before `since`. */
export type ExpectedTransfer = {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly nonce: Hex;
  readonly since: Date;
};

/** A transfer that was found. */
export type MinedTransfer = { readonly mined: MinedTransaction; readonly transfer: TokenTransfer };

/** An authorisation is signed a little before it is presented, and clocks differ. */
const since_margin_ms = 900_000;

/**
 * Finds the transaction that carried out an authorisation; anyone can have sent it. A cancelled authorisation is used as well, but has no transfer.
 *
 * @throws ChainUnavailableError
 */
export async function findMinedTransfer(
  chain: Chain,
  expected: ExpectedTransfer,
): Promise<MinedTransfer | undefined> {
  if (!(await chain.isAuthorizationUsed(expected.from, expected.nonce))) return undefined;
  const since = new Date(expected.since.getTime() - since_margin_ms);
  const hash = await chain.findAuthorizationUse(expected.from, expected.nonce, since);
  const mined = hash && (await chain.readMined(hash));
  return mined && matchTransfer(mined, expected);
}

/** Finds the transfer of an authorisation in a transaction. */
function matchTransfer(mined: MinedTransaction, expected: ExpectedTransfer): MinedTransfer | undefined {
  const { from, to, value, nonce } = expected;
  const isUsed = mined.authorizations.some((each) => each.from === from && each.nonce === nonce);
  const transfer = mined.transfers.find(
    (each) => each.from === from && each.to === to && each.value === value,
  );
  return mined.succeeded && isUsed && transfer ? { mined, transfer } : undefined;
}

/** An attempt that the facilitator has answered. */
type Answered = {
  readonly payment: Payment;
  readonly settlement: Settlement;
  /** Whether an earlier attempt may have sent the payment. */
  readonly mayBePending: boolean;
};

/**
 * Ends an attempt by what the chain shows, and not by what the facilitator says: the transfer is there with enough confirmations, or nothing is known
 * yet, or nothing was sent.
 *
 * @returns the settled payment.
 * @throws Refusal `payment_unresolved`, or the code of the failure with a receipt.
 */
export async function concludeAttempt(
  services: Services,
  chain: Chain,
  answered: Answered,
): Promise<Payment> {
  const { payment, settlement } = answered;
  const found = await awaitTransfer(services, chain, answered).catch((error: unknown) => {
    if (error instanceof ChainUnavailableError) return 'unknown' as const;
    throw error;
  });
  if (found === 'unknown') throw await endUnknown(services, answered);
  if (found !== 'failed') return storeSettlement(services, payment, found);
  const { reason, transaction } = settlement;
  if (!(await endInDatabase(services, payment, { state: 'failed', reason, transaction })))
    throw refuseUnresolved(1);
  const { name, value } = buildReceiptHeader(payment, { success: false, errorReason: reason });
  throw new Refusal(toRefusalCode(reason), { headers: { [name.toLowerCase()]: value } });
}

const confirmation_wait_ms = 20_000;
const poll_ms = 250;

/** Looks for the transfer until it has enough confirmations. A payment that the facilitator has not carried out is looked for once. @throws ChainUnavailableError */
async function awaitTransfer(
  { config }: Services,
  chain: Chain,
  { payment, settlement, mayBePending }: Answered,
): Promise<MinedTransfer | 'failed' | 'unknown'> {
  const { confirmations } = config.payments.chain!;
  const expected = readExpectedTransfer(payment);
  const deadline = performance.now() + confirmation_wait_ms;
  // What the facilitator of this process has just read needs no second look, unless it needs more confirmations.
  const seen = settlement.mined && matchTransfer(settlement.mined, expected);
  if (seen && seen.mined.confirmations >= confirmations) return seen;
  for (;;) {
    const found = await findSettledTransfer(chain, expected, settlement);
    if (found && found.mined.confirmations >= confirmations) return found;
    if (!found && settlement.outcome === 'unknown') return 'unknown';
    if (!found && settlement.outcome === 'failed')
      return mayBePending && !(await isExpired(chain, payment)) ? 'unknown' : 'failed';
    if (performance.now() > deadline) return 'unknown';
    await pause(poll_ms);
  }
}

async function findSettledTransfer(
  chain: Chain,
  expected: ExpectedTransfer,
  { transaction }: Settlement,
): Promise<MinedTransfer | undefined> {
  const mined = transaction && (await chain.readMined(transaction));
  // The authorisation may have been carried out by another transaction than the facilitator's.
  return (mined && matchTransfer(mined, expected)) || findMinedTransfer(chain, expected);
}

/** Whether the chain can no longer carry out the authorisation of a payment: its newest block is later. */
export async function isExpired(chain: Chain, { valid_before }: Payment): Promise<boolean> {
  return valid_before !== null && (await chain.readHeadTime()) > valid_before;
}

/** Reads from a payment what its authorisation moves. */
export function readExpectedTransfer(payment: Payment): ExpectedTransfer {
  return {
    from: payment.payer as Hex,
    to: payment.pay_to as Hex,
    value: BigInt(payment.amount_micros),
    nonce: payment.nonce as Hex,
    since: payment.created_at,
  };
}

/**
 * Stores where the payment was mined, and takes the key of that transfer, so that its hash cannot pay again. The commit does not wait for the disk:
 * that of the read, which follows, waits for both, and if the database fails before it, the payment is still being settled, and is compared with the
 * chain again.
 */
export async function storeSettlement(
  services: Services,
  payment: Payment,
  { mined, transfer }: MinedTransfer,
): Promise<Payment> {
  const { now, config } = services;
  const database = serviceDatabase(services);
  const { log_index } = transfer;
  const key = buildLogKey(config.payments.chain!, mined.hash, log_index);
  const settled = await database.transaction(async (tx) => {
    const [, stored, isFree] = await Promise.all([
      commitWithoutWaiting(tx),
      settlePayment(tx, payment.id, { transaction: mined.hash, log_index }, now()),
      insertKeys(tx, [key], payment.id, now()),
    ]);
    // Two processes can find the same transfer of the same payment.
    if (stored && !isFree) throw new Refusal('payment_already_used');
    return stored;
  });
  const current = settled ?? (await findPayment(database, payment.id));
  if (current?.state !== 'settled' && current?.state !== 'recorded') throw refuseUnresolved(1);
  return current;
}

const unknown_retry_seconds = 5;

async function endUnknown(services: Services, { payment, settlement }: Answered): Promise<Refusal> {
  const { outcome, reason, transaction } = settlement;
  await endInDatabase(services, payment, {
    state: 'unknown',
    reason: outcome === 'settled' ? 'unconfirmed' : reason,
    transaction,
  });
  return refuseUnresolved(unknown_retry_seconds);
}

/** @returns false if another attempt has begun: this one cannot say how the payment ends. */
function endInDatabase(
  services: Services,
  payment: Payment,
  end: Parameters<typeof endAttempt>[2],
): Promise<boolean> {
  return serviceDatabase(services).transaction((tx) => endAttempt(tx, payment, end, services.now()));
}
