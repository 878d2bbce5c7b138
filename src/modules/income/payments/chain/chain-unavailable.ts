/** The node of the chain gave no usable answer, so that nothing is known. The message names no URL. */
export class ChainUnavailableError extends Error {
  constructor(cause?: unknown) {
    super('the node of the chain does not answer', { cause });
    this.name = 'ChainUnavailableError';
  }
}
