import { ConfigError, parsePositive, parseRange } from '#platform/config-numbers.ts';

/** The variables that payments read, after their forms have been checked. */
type Values = {
  readonly TESSERA_ENV: string;
  readonly TESSERA_PAYMENT_RAIL: string;
  readonly TESSERA_EVM_RPC_URL: string | undefined;
  readonly TESSERA_EVM_CHAIN_ID: string | undefined;
  readonly TESSERA_EVM_ASSET: string | undefined;
  readonly TESSERA_EVM_PAY_TO: string | undefined;
  readonly TESSERA_EVM_CONFIRMATIONS: string | undefined;
  readonly TESSERA_EVM_FACILITATOR_URL: string | undefined;
  readonly TESSERA_EVM_FACILITATOR_KEY: string | undefined;
  readonly TESSERA_EVM_PAYOUT_KEY: string | undefined;
};

/** How organisations pay for reads. */
export type PaymentSettings = {
  readonly rails: readonly ('mock' | 'transfer' | 'x402')[];
  /** The chain of the rails `transfer` and `x402`; undefined if neither is on. */
  readonly chain: ChainSettings | undefined;
  /** Who carries out payments of the rail `x402`; undefined if it is off. */
  readonly facilitator: { readonly url: string } | { readonly key: `0x${string}` } | undefined;
};

/** An EVM chain, and the token on it in which payments are made. Addresses are in lower case. */
export type ChainSettings = {
  readonly rpcUrl: string;
  readonly chainId: number;
  /** The contract of a token with six decimals, such as USDC. */
  readonly asset: `0x${string}`;
  readonly payTo: `0x${string}`;
  /** How many blocks a payment must be in or under before it counts. */
  readonly confirmations: number;
};

/**
 * Reads the settings of payments and payouts from variables whose forms have been checked.
 *
 * @throws ConfigError
 */
export function readPaymentSettings(values: Values): PaymentSettings {
  const named = new Set(values.TESSERA_PAYMENT_RAIL.split(','));
  const rails = (['mock', 'transfer', 'x402'] as const).filter((rail) => named.has(rail));
  const needsChain = rails.includes('transfer') || rails.includes('x402');
  return {
    rails,
    chain: needsChain ? readChainSettings(values) : undefined,
    facilitator: rails.includes('x402') ? readFacilitator(values) : undefined,
  };
}

function readChainSettings(values: Values): ChainSettings {
  const requireValue = (name: keyof Values) => {
    const value = values[name];
    if (value === undefined)
      throw new ConfigError(`${name} must be set when TESSERA_PAYMENT_RAIL contains transfer or x402`);
    return value;
  };
  const confirmations = values.TESSERA_EVM_CONFIRMATIONS ?? (values.TESSERA_ENV === 'production' ? '2' : '1');
  // The forms of the addresses have been checked.
  return {
    rpcUrl: requireValue('TESSERA_EVM_RPC_URL'),
    chainId: parsePositive('TESSERA_EVM_CHAIN_ID', requireValue('TESSERA_EVM_CHAIN_ID')),
    asset: requireValue('TESSERA_EVM_ASSET').toLowerCase() as `0x${string}`,
    payTo: requireValue('TESSERA_EVM_PAY_TO').toLowerCase() as `0x${string}`,
    confirmations: parseRange('TESSERA_EVM_CONFIRMATIONS', confirmations, 1, 1_000),
  };
}

/** Selects how payouts reach their owners: on the chain, if there is a key to sign with. */
export function selectPayoutRail(values: Values): 'mock' | 'chain' | undefined {
  const rails = values.TESSERA_PAYMENT_RAIL.split(',');
  const hasChain = rails.includes('transfer') || rails.includes('x402');
  if (values.TESSERA_EVM_PAYOUT_KEY !== undefined && hasChain) return 'chain';
  return rails.includes('mock') ? 'mock' : undefined;
}

function readFacilitator(values: Values): PaymentSettings['facilitator'] {
  const { TESSERA_EVM_FACILITATOR_URL: url, TESSERA_EVM_FACILITATOR_KEY: key } = values;
  if ((url === undefined) === (key === undefined))
    throw new ConfigError(
      'exactly one of TESSERA_EVM_FACILITATOR_URL and TESSERA_EVM_FACILITATOR_KEY must be set when TESSERA_PAYMENT_RAIL contains x402',
    );
  return key === undefined ? { url: url! } : { key: key as `0x${string}` };
}
