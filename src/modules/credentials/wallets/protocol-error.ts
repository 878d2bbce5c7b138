/** The error codes of the two endpoints: OAuth 2.0 (RFC 6749 section 5.2, RFC 6750) and OpenID4VCI 1.0 section 8.3.1.2. */
type ProtocolCode =
  | 'invalid_request'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'invalid_token'
  | 'invalid_credential_request'
  | 'unknown_credential_configuration'
  | 'unknown_credential_identifier'
  | 'invalid_proof'
  | 'invalid_nonce'
  | 'invalid_encryption_parameters'
  | 'credential_request_denied';

/** An expected "no" to a wallet, in the shape that the protocol requires: `{error, error_description}`. */
export class ProtocolError extends Error {
  readonly error: ProtocolCode;
  readonly status: number;

  constructor(error: ProtocolCode, description: string, status = error === 'invalid_token' ? 401 : 400) {
    super(description);
    this.name = 'ProtocolError';
    this.error = error;
    this.status = status;
  }
}
