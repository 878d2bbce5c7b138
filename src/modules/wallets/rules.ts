/** For how long an offer, the token that it is traded for, and a nonce hold. */
export const offer_minutes = 10;
export const token_minutes = 10;
export const nonce_minutes = 5;

/** Six digits and five tries: one guess in two hundred thousand offers whose link was stolen. */
export const tx_code_digits = 6;
export const wrong_tx_codes_max = 5;

/** An offer as it stands in the database. */
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

/** What becomes of a code that is presented with a transaction code. */
export type TradeOutcome = 'granted' | 'tx_code_wrong' | 'replayed' | 'dead';

/**
 * Decides over a presented code. `dead`: expired, or guessed at too often. `replayed`: right, and used before, so that somebody has a copy
 * of it.
 */
export function decideTrade(
  { expires_at, wrong_tx_codes, token_expires_at }: Offer,
  { isTxCodeRight, now }: { readonly isTxCodeRight: boolean; readonly now: Date },
): TradeOutcome {
  if (expires_at <= now || wrong_tx_codes >= wrong_tx_codes_max) return 'dead';
  if (!isTxCodeRight) return 'tx_code_wrong';
  return token_expires_at ? 'replayed' : 'granted';
}

/** The time so many minutes from now. */
export function addMinutes(now: Date, minutes: number): Date {
  return new Date(now.getTime() + minutes * 60_000);
}
