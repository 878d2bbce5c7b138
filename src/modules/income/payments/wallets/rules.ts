/** A wallet from which an organisation pays. The address is in lower case. */
export type Wallet = {
  readonly id: string;
  readonly org_id: string;
  readonly address: string;
  readonly created_by: string;
  readonly created_at: Date;
};

/** A message that a wallet is asked to sign. */
export type Challenge = {
  readonly org_id: string;
  readonly address: string;
  readonly nonce: string;
  readonly expires_at: Date;
  readonly created_at: Date;
};
