import { timingSafeEqual } from 'node:crypto';
import { hashToken } from '#platform/security/hash-token.ts';
import type { Platform } from '#platform/platform.ts';
import { pre_authorized_grant } from './configurations.ts';
import { ProtocolError } from './protocol-error.ts';
import {
  addMinutes,
  decideTrade,
  token_minutes,
  type Offer,
  type TradeOutcome,
  type TxCodeMatch,
} from './rules.ts';
import { createSecret, hashTxCode } from './secrets.ts';
import { deleteOffer, lockOfferByCode, updateOfferToken, updateWrongTxCodes } from './store.ts';

/** The reply of the token endpoint (RFC 6749 section 5.1). */
export type TokenReply = {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
};

/**
 * Exchanges a pre-authorized code, with its transaction code if it has one, for an access token, once (OpenID4VCI 1.0 section 6).
 *
 * @throws ProtocolError
 */
export async function exchangeOfferCode(
  platform: Platform,
  form: Readonly<Record<string, string>>,
): Promise<TokenReply> {
  const { code, tx_code } = readTrade(form);
  const access_token = createSecret();
  const outcome = await applyTrade(platform, { code, tx_code, access_token });
  if (outcome === 'tx_code_missing') throw new ProtocolError('invalid_request', 'tx_code is missing.');
  if (outcome === 'tx_code_unexpected')
    throw new ProtocolError('invalid_request', 'The offer has no transaction code.');
  if (outcome === 'granted') return { access_token, token_type: 'Bearer', expires_in: token_minutes * 60 };
  // One description for all failures, so that it does not reveal which half of a guess was right.
  throw new ProtocolError(
    'invalid_grant',
    'The code or the transaction code is wrong, already used or expired.',
  );
}

function readTrade(form: Readonly<Record<string, string>>) {
  const { grant_type, 'pre-authorized_code': code, tx_code } = form;
  if (grant_type === undefined) throw new ProtocolError('invalid_request', 'grant_type is missing.');
  if (grant_type !== pre_authorized_grant)
    throw new ProtocolError('unsupported_grant_type', `The only supported grant is ${pre_authorized_grant}.`);
  if (code === undefined) throw new ProtocolError('invalid_request', 'pre-authorized_code is missing.');
  return { code, tx_code };
}

/** Decides on the code and stores the outcome. A wrong guess must be counted, so the transaction does not throw. */
function applyTrade(
  platform: Platform,
  {
    code,
    tx_code,
    access_token,
  }: {
    readonly code: string;
    readonly tx_code: string | undefined;
    readonly access_token: string;
  },
): Promise<TradeOutcome> {
  return platform.database.transaction(async (tx) => {
    const now = platform.now();
    const offer = await lockOfferByCode(tx, hashToken(code));
    if (!offer) return 'dead';
    const outcome = decideTrade(offer, { txCode: compareTxCode(platform, offer, tx_code), now });
    if (outcome === 'granted')
      await updateOfferToken(tx, offer.id, hashToken(access_token), addMinutes(now, token_minutes));
    if (outcome === 'tx_code_wrong') await updateWrongTxCodes(tx, offer);
    // A second party has the code and the transaction code. The service cannot know which one is the member, so the token is revoked too
    // (RFC 6749 section 4.1.2).
    if (outcome === 'replayed') await deleteOffer(tx, offer.id);
    return outcome;
  });
}

function compareTxCode(
  platform: Platform,
  { id, tx_code_hash }: Offer,
  tx_code: string | undefined,
): TxCodeMatch {
  if (tx_code_hash === null) return tx_code === undefined ? 'right' : 'unexpected';
  if (tx_code === undefined) return 'missing';
  return timingSafeEqual(tx_code_hash, hashTxCode(platform, id, tx_code)) ? 'right' : 'wrong';
}
