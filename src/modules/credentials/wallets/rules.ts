/** Where the wallet is: on the device that shows the offer, or on another one, which scans the offer as a QR code. */
export const walletDevices = ['this', 'another'] as const;

export type WalletDevice = (typeof walletDevices)[number];

/**
 * The lifetimes of an offer, of the access token that replaces its code, and of a nonce. An offer for the same device is opened at once, and has no
 * transaction code: nobody can photograph its link, and a person would only copy digits from one window into the next.
 */
export const offer_minutes = { this: 2, another: 10 } as const satisfies Record<WalletDevice, number>;
export const token_minutes = 10;
export const nonce_minutes = 5;

/** Six digits and five attempts: an attacker guesses the code of one stolen offer link in two hundred thousand. */
export const tx_code_digits = 6;
export const wrong_tx_codes_max = 5;

/** An offer as stored in the database. */
export type Offer = {
  readonly id: string;
  readonly member_id: string;
  readonly credential_id: string;
  /** Null if the wallet is on the device that shows the offer. */
  readonly tx_code_hash: Buffer | null;
  readonly wrong_tx_codes: number;
  readonly expires_at: Date;
  readonly token_expires_at: Date | null;
  readonly delivered: readonly string[];
  readonly created_at: Date;
};

/** The outcome of presenting a code with a transaction code. */
export type TradeOutcome =
  | 'granted'
  | 'tx_code_missing'
  | 'tx_code_unexpected'
  | 'tx_code_wrong'
  | 'replayed'
  | 'dead';

/** How a presented transaction code compares with that of the offer. */
export type TxCodeMatch = 'right' | 'wrong' | 'missing' | 'unexpected';

/**
 * Decides the outcome for a presented code. `dead`: expired, or presented with too many wrong transaction codes. `replayed`: correct, but
 * already used, so that a copy of the code exists. A transaction code that is missing, or that the offer does not have, is an error of the wallet
 * and no guess.
 */
export function decideTrade(
  {
    expires_at,
    wrong_tx_codes,
    token_expires_at,
  }: Pick<Offer, 'expires_at' | 'wrong_tx_codes' | 'token_expires_at'>,
  { txCode, now }: { readonly txCode: TxCodeMatch; readonly now: Date },
): TradeOutcome {
  if (expires_at <= now || wrong_tx_codes >= wrong_tx_codes_max) return 'dead';
  if (txCode !== 'right') return `tx_code_${txCode}`;
  return token_expires_at ? 'replayed' : 'granted';
}

export function addMinutes(now: Date, minutes: number): Date {
  return new Date(now.getTime() + minutes * 60_000);
}
