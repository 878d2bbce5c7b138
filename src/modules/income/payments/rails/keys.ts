import type { ChainSettings } from '#platform/config.ts';
import { formatNetwork } from './terms.ts';

type Token = Pick<ChainSettings, 'chainId' | 'asset'>;

/** The key of a signed authorisation: the chain carries out each nonce of a payer once. */
export function buildAuthorizationKey(token: Token, from: string, nonce: string): string {
  return `authorization:${formatNetwork(token)}:${token.asset}:${from}:${nonce}`;
}

/** The key of a transfer that was mined. One transaction can have several. */
export function buildLogKey(token: Pick<Token, 'chainId'>, transaction: string, log_index: number): string {
  return `log:${formatNetwork(token)}:${transaction}:${log_index}`;
}
