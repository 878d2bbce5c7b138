import { timingSafeEqual } from 'node:crypto';
import type { Platform } from '#platform/platform.ts';
import { pre_authorized_grant } from './configurations.ts';
import { ProtocolError } from './protocol-error.ts';
import { addMinutes, token_minutes, decideTrade, type TradeOutcome } from './rules.ts';
import { hashSecret, createSecret, hashTxCode } from './secrets.ts';
import { deleteOffer, lockOfferByCode, updateOfferToken, updateWrongTxCodes } from './store.ts';

/** The answer of the token endpoint (RFC 6749 section 5.1). */
export type TokenReply = {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
};

/**
 * Trades a pre-authorized code and its transaction code for an access token, once (OpenID4VCI 1.0 section 6).
 *
 * @throws ProtocolError
 */
export async function tradeCode(
  platform: Platform,
  form: Readonly<Record<string, string>>,
): Promise<TokenReply> {
  const { code, tx_code } = readTrade(form);
  const access_token = createSecret();
  const trade = await applyTrade(platform, { code, tx_code, access_token });
  if (trade === 'granted') return { access_token, token_type: 'Bearer', expires_in: token_minutes * 60 };
  // One sentence for everything that is wrong, so that nobody learns which half of a guess was right.
  throw new ProtocolError('invalid_grant', 'The code or the transaction code is wrong, used up or expired.');
}

function readTrade(form: Readonly<Record<string, string>>) {
  const { grant_type, 'pre-authorized_code': code, tx_code } = form;
  if (grant_type === undefined) throw new ProtocolError('invalid_request', 'grant_type is missing.');
  if (grant_type !== pre_authorized_grant)
    throw new ProtocolError('unsupported_grant_type', `The one grant here is ${pre_authorized_grant}.`);
  if (code === undefined) throw new ProtocolError('invalid_request', 'pre-authorized_code is missing.');
  if (tx_code === undefined) throw new ProtocolError('invalid_request', 'tx_code is missing.');
  return { code, tx_code };
}

/** Decides and keeps what was decided: a wrong guess counts although its answer is a refusal, so nothing is thrown in here. */
function applyTrade(
  platform: Platform,
  {
    code,
    tx_code,
    access_token,
  }: { readonly code: string; readonly tx_code: string; readonly access_token: string },
): Promise<TradeOutcome> {
  return platform.database.transaction(async (tx) => {
    const now = platform.now();
    const offer = await lockOfferByCode(tx, hashSecret(code));
    if (!offer) return 'dead';
    const isTxCodeRight = timingSafeEqual(offer.tx_code_hash, hashTxCode(platform, offer.id, tx_code));
    const trade = decideTrade(offer, { isTxCodeRight, now });
    if (trade === 'granted')
      await updateOfferToken(tx, offer.id, hashSecret(access_token), addMinutes(now, token_minutes));
    if (trade === 'tx_code_wrong') await updateWrongTxCodes(tx, offer);
    // Two have the code and its transaction code: nobody can tell which is the member, so the token goes too (RFC 6749 section 4.1.2).
    if (trade === 'replayed') await deleteOffer(tx, offer.id);
    return trade;
  });
}
