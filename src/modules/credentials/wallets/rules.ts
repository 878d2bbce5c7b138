/** The lifetimes of an offer, of the access token that replaces its code, and of a nonce. */
export const offer_minutes = 10;
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
  readonly tx_code_hash: Buffer;
  readonly wrong_tx_codes: number;
  readonly expires_at: Date;
  readonly token_expires_at: Date | null;
  readonly delivered: readonly string[];
  readonly created_at: Date;
};

/** The outcome of presenting a code with a transaction code. */
export type TradeOutcome = 'granted' | 'tx_code_wrong' | 'replayed' | 'dead';

/**
 * Decides the outcome for a presented code. `dead`: expired, or presented with too many wrong transaction codes. `replayed`: correct, but
 * already used, so that a copy of the code exists.
 */
export function decideTrade(
  {
    expires_at,
    wrong_tx_codes,
    token_expires_at,
  }: Pick<Offer, 'expires_at' | 'wrong_tx_codes' | 'token_expires_at'>,
  { isTxCodeRight, now }: { readonly isTxCodeRight: boolean; readonly now: Date },
): TradeOutcome {
  if (expires_at <= now || wrong_tx_codes >= wrong_tx_codes_max) return 'dead';
  if (!isTxCodeRight) return 'tx_code_wrong';
  return token_expires_at ? 'replayed' : 'granted';
}

export function addMinutes(now: Date, minutes: number): Date {
  return new Date(now.getTime() + minutes * 60_000);
}
