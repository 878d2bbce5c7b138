import { openPayoutChain, type Chain } from '#modules/income/payments';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import type { Payout } from './rules.ts';
import type { PayoutRail, PreparedTransfer, StoredTransfer, TransferOutcome } from './payout-rail.ts';
import { takeNonce } from './store.ts';

type Hex = `0x${string}`;

/**
 * Creates the rail that transfers the token from the operator's wallet. A transaction is signed and stored before it is sent. All that are ever
 * sent for a payout have the same nonce, so that the chain carries out one of them, once.
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
    replaceTransfer: async ({ signed_transaction }) => {
      const { raw, hash } = await (await openPayoutChain(services)).replaceSigned(signed_transaction as Hex);
      return { transaction_hash: hash, signed_transaction: raw };
    },
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
  // The node still has an earlier transaction of the payout and wants a higher fee to replace it. Either may be mined.
  'replacement transaction underpriced',
];

async function sendUnlessMined(chain: Chain, transfer: StoredTransfer): Promise<void> {
  if (await findMined(chain, transfer)) return;
  try {
    await chain.sendSigned(transfer.signed_transaction as Hex);
  } catch (error) {
    if (!(error instanceof Error && isRepetition(error))) throw error;
  }
}

/** Finds which transaction of a transfer is mined: all of them have the same nonce, so it is at most one. */
async function findMined(chain: Chain, { transaction_hash, earlier_hashes }: StoredTransfer) {
  for (const hash of [transaction_hash, ...earlier_hashes]) {
    const mined = await chain.readMined(hash as Hex);
    if (mined) return mined;
  }
  return undefined;
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
  transfer: StoredTransfer,
  confirmations: number,
): Promise<TransferOutcome> {
  const mined = await findMined(chain, transfer);
  if (!mined) return { state: 'waiting', transaction_hash: transfer.transaction_hash };
  const { hash: transaction_hash, succeeded, transfers } = mined;
  if (mined.confirmations < confirmations) return { state: 'confirming', transaction_hash };
  return { state: succeeded && transfers.length > 0 ? 'paid' : 'failed', transaction_hash };
}
