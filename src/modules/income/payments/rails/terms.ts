import type { PaymentRequirements } from '@x402/core/types';
import type { ChainSettings } from '#platform/config.ts';
import type { TokenDomain } from '../chain/open-chain.ts';
import type { PaymentTermsV1 } from '../payment-problem.ts';

/** How long a client is asked to make its signed payment valid: long enough for the chain, short enough that a lost one ends soon. */
const validity_seconds = 120;

/** The price and the chain of a payment. `amount` is in the smallest unit of the token, which is a micro-unit. */
export type TermsOf = {
  readonly settings: ChainSettings;
  readonly domain: TokenDomain;
  readonly amount: bigint;
};

/** Writes the name of a chain as CAIP-2 does. */
export function formatNetwork({ chainId }: Pick<ChainSettings, 'chainId'>): `eip155:${number}` {
  return `eip155:${chainId}`;
}

/** Builds the terms of the scheme `exact` with ERC-3009, of version 2 of the protocol. */
export function buildRequirements({ settings, domain, amount }: TermsOf): PaymentRequirements {
  return {
    scheme: 'exact',
    network: formatNetwork(settings),
    asset: settings.asset,
    amount: amount.toString(),
    payTo: settings.payTo,
    maxTimeoutSeconds: validity_seconds,
    extra: { ...domain },
  };
}

/** Builds the same terms of version 1. */
export function buildRequirementsV1(
  { settings, domain, amount }: TermsOf,
  { url, description }: { readonly url: string; readonly description: string },
): PaymentTermsV1 {
  return {
    scheme: 'exact',
    network: networkNames[settings.chainId] ?? formatNetwork(settings),
    maxAmountRequired: amount.toString(),
    resource: url,
    description,
    mimeType: 'application/json',
    payTo: settings.payTo,
    maxTimeoutSeconds: validity_seconds,
    asset: settings.asset,
    extra: domain,
  };
}

/** Whether a payment names this chain, by its name of version 1 or as CAIP-2. */
export function isNetwork(network: string, settings: ChainSettings): boolean {
  return network === formatNetwork(settings) || network === networkNames[settings.chainId];
}

/** The names of chains in version 1 of the protocol, of those with USDC. Version 2 uses CAIP-2. */
const networkNames: Readonly<Record<number, string>> = {
  137: 'polygon',
  1_329: 'sei',
  8_453: 'base',
  43_113: 'avalanche-fuji',
  43_114: 'avalanche',
  80_002: 'polygon-amoy',
  84_532: 'base-sepolia',
};

type Token = Pick<ChainSettings, 'chainId' | 'asset'>;

/** The key of a signed authorisation: the chain carries out each nonce of a payer once. */
export function buildAuthorizationKey(token: Token, from: string, nonce: string): string {
  return `authorization:${formatNetwork(token)}:${token.asset}:${from}:${nonce}`;
}

/** The key of a transfer that was mined. One transaction can have several. */
export function buildLogKey(token: Pick<Token, 'chainId'>, transaction: string, log_index: number): string {
  return `log:${formatNetwork(token)}:${transaction}:${log_index}`;
}
