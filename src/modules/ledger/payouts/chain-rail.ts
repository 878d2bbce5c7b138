import { openPayoutChain, type Chain } from '#modules/payments';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import type { Payout } from '../rules.ts';
import type { PayoutRail, PreparedTransfer, TransferOutcome } from './payout-rail.ts';
import { takeNonce } from './store-nonces.ts';

type Hex = `0x${string}`;

/**
 * Creates the rail that transfers the token from the operator's wallet. A transaction is signed and stored before it is sent, and only this one is
 * ever sent for the payout: its nonce lets the chain carry it out once.
 */
export function createChainRail(services: Services): PayoutRail {
  const { chain: settings } = services.config.payments;
  if (!settings) throw new Error('no chain is configured');
  return {
    prepareTransfer: async (tx, payout) =>
      signPayout(tx, await openPayoutChain(services), settings.chainId, payout),
    sendTransfer: async (transfer) => sendUnlessMined(await openPayoutChain(services), transfer),
    readOutcome: async (transfer) =>
      readTransferOutcome(await openPayoutChain(services), transfer, settings.confirmations),
  };
}

async function signPayout(
  tx: Transaction,
  chain: Chain,
  chain_id: number,
  { id, destination, amount }: Payout,
): Promise<PreparedTransfer> {
  if (destination === null) throw new Error(`payout ${id} has no destination`);
  // Refuses a chain or a token that is not the configured one.
  await chain.readTokenDomain();
  const pending = await chain.readNextNonce();
  const nonce = await takeNonce(
    tx,
    { chain_id, address: chain.sender!.account.address.toLowerCase() },
    pending,
  );
  const { raw, hash } = await chain.signTransfer({ to: destination as Hex, value: amount, nonce });
  return { transaction_hash: hash, signed_transaction: raw };
}

/** What nodes say about a transaction that they have had before. What became of it is read from the chain. */
const repetitions = [
  'already known',
  'already imported',
  'already exists',
  'nonce too low',
  'nonce is too low',
  'is lower than the current nonce',
];

async function sendUnlessMined(chain: Chain, transfer: PreparedTransfer): Promise<void> {
  if (await chain.readMined(transfer.transaction_hash as Hex)) return;
  try {
    await chain.sendSigned(transfer.signed_transaction as Hex);
  } catch (error) {
    if (!(error instanceof Error && isRepetition(error))) throw error;
  }
}

function isRepetition({ message }: Error): boolean {
  const lower = message.toLowerCase();
  return repetitions.some((words) => lower.includes(words));
}

/**
 * Reads what became of a transaction, once it is deep enough. One that is not mined waits, even if another transaction has taken its nonce: two nodes
 * of a provider may see different blocks, and money that is given back too early would be paid twice.
 */
async function readTransferOutcome(
  chain: Chain,
  { transaction_hash }: PreparedTransfer,
  confirmations: number,
): Promise<TransferOutcome> {
  const mined = await chain.readMined(transaction_hash as Hex);
  if (!mined || mined.confirmations < confirmations) return 'waiting';
  return mined.succeeded && mined.transfers.length > 0 ? 'paid' : 'failed';
}
