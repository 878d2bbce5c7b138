import { Refusal } from '#lib/refusal.ts';
import { ChainUnavailableError } from '../chain/chain-unavailable.ts';

/** The outcome is not known. The client sends the same payment again. */
export function refuseUnresolved(seconds: number): Refusal {
  return new Refusal('payment_unresolved', { headers: { 'retry-after': String(seconds) } });
}

/** Nothing was claimed or sent, because the chain or the facilitator gave no usable answer. */
export function refuseUnavailable(error: unknown): never {
  if (error instanceof ChainUnavailableError)
    throw new Refusal('chain_unavailable', { headers: { 'retry-after': '5' } });
  throw error;
}
