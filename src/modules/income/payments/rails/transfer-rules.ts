import type { RefusalCode } from '#lib/refusals.ts';
import type { ChainSettings } from '#platform/config.ts';
import type { MinedTransaction, TokenTransfer } from '../chain/chain.ts';

const skew_seconds = 60;
/** A transfer is presented as soon as it has its confirmations. */
const age_max_seconds = 900;

/** Whether a hash is one of a transaction of an EVM chain. */
export function isTransactionHash(hash: string): hash is `0x${string}` {
  return /^0x[0-9a-f]{64}$/.test(hash);
}

/** Whether the timestamp of a payment, in Unix seconds, is close to the time of the request. */
export function isTimely(timestamp: number, now: Date): boolean {
  return Math.abs(now.getTime() / 1000 - timestamp) <= skew_seconds;
}

/** Whether a block is so old that its payment was probably meant for something else. */
export function isOutdated(blockTime: Date, now: Date): boolean {
  return now.getTime() - blockTime.getTime() > age_max_seconds * 1000;
}

/** Finds the transfers of the token to the service, and what is wrong if there are none or the transaction does not count. */
export function judgeTransaction(
  mined: MinedTransaction | undefined,
  { payTo, confirmations }: Pick<ChainSettings, 'payTo' | 'confirmations'>,
): { readonly fault: RefusalCode } | { readonly transfers: readonly TokenTransfer[] } {
  if (!mined?.succeeded) return { fault: 'payment_not_found' };
  if (mined.transfers.length === 0) return { fault: 'payment_wrong_asset' };
  const transfers = mined.transfers.filter(({ to }) => to === payTo);
  if (transfers.length === 0) return { fault: 'payment_wrong_payee' };
  if (mined.confirmations < confirmations) return { fault: 'payment_unconfirmed' };
  return { transfers };
}

/** Finds what is wrong with a transfer to the service: its wallet is not one of the organisation, or it is below the price. */
export function findFaultInTransfer(
  { from, value }: TokenTransfer,
  price: bigint,
  wallets: ReadonlySet<string>,
): RefusalCode | undefined {
  if (!wallets.has(from)) return 'payment_wallet_foreign';
  // The books have no number for it.
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) return 'payment_overpaid';
  return value < price ? 'payment_underpaid' : undefined;
}
