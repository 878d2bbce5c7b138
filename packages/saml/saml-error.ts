/**
 * Why a response is not accepted. A `malformed` one is not valid SAML; a `refused` one can be read but does not prove who logs in. The message
 * is a sentence for the administrator who sets up an identity provider, and repeats nothing from the response except status codes of the standard.
 */
export class SamlError extends Error {
  readonly kind: 'malformed' | 'refused';

  constructor(kind: 'malformed' | 'refused', message: string) {
    super(message);
    this.kind = kind;
  }
}
