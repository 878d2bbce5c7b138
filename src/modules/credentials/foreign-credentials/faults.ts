/** Why something about a credential could not be checked. None of them says that the credential is false. */
export const faults = [
  'issuer_unreachable',
  'issuer_slow',
  'issuer_document_invalid',
  'issuer_unsupported',
  'key_not_listed',
  'key_revoked',
  'algorithm_unsupported',
  'proof_unsupported',
  'context_unknown',
  'too_complex',
  'status_unreachable',
  'status_slow',
  'status_invalid',
  'status_unsupported',
] as const;

export type Fault = (typeof faults)[number];

/** A check that could not be made. */
export class UncheckedError extends Error {
  readonly fault: Fault;

  constructor(fault: Fault, cause?: unknown) {
    super(fault, { cause });
    this.name = 'UncheckedError';
    this.fault = fault;
  }
}
