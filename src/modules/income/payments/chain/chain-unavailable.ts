import { Refusal } from '#lib/refusal.ts';

/** The node of the chain gave no usable answer, so that nothing is known. The message names no URL. */
export class ChainUnavailableError extends Error {
  constructor(cause?: unknown) {
    super('the node of the chain does not answer', { cause });
    this.name = 'ChainUnavailableError';
  }
}

/** Nothing was taken or sent, because the chain or the facilitator gave no usable answer. @throws Refusal `chain_unavailable`, or the error itself. */
export function refuseUnavailable(error: unknown): never {
  if (error instanceof ChainUnavailableError)
    throw new Refusal('chain_unavailable', { headers: { 'retry-after': '5' } });
  throw error;
}
