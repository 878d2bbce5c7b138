import { instanceMemory } from '#platform/instance-memory.ts';
import type { Config } from '#platform/config.ts';
import type { Finding } from '#platform/doctor.ts';
import type { Services } from '#platform/platform.ts';
import type { Chain } from './open-chain.ts';

export type { Chain, MinedTransaction, TokenTransfer } from './open-chain.ts';

/** The library of the chain is loaded when it is first needed: most of its time would be added to every start. */
const getOpening = instanceMemory(({ config }) => ({
  settings: config.payments.chain,
  chain: undefined as Promise<Chain> | undefined,
  payoutChain: undefined as Promise<Chain> | undefined,
}));

/**
 * Returns the client of the configured chain, which this service shares.
 *
 * @throws Error if neither the rail `transfer` nor `x402` is on.
 */
export function openSharedChain(services: Services): Promise<Chain> {
  const opening = getOpening(services);
  const { settings } = opening;
  if (!settings)
    throw new Error('no chain is configured: TESSERA_PAYMENT_RAIL has neither transfer nor x402');
  const facilitator = services.config.payments.facilitator;
  const key = facilitator && 'key' in facilitator ? facilitator.key : undefined;
  return (opening.chain ??= import('./open-chain.ts').then(({ openChain }) => openChain(settings, key)));
}

/**
 * Returns a client of the configured chain that sends from the wallet of the payouts.
 *
 * @throws Error if no chain is configured, or TESSERA_EVM_PAYOUT_KEY is not set.
 */
export function openPayoutChain(services: Services): Promise<Chain> {
  const opening = getOpening(services);
  const { settings } = opening;
  const { payout_key } = services.config;
  if (!settings || !payout_key) throw new Error('no chain is configured for payouts');
  return (opening.payoutChain ??= import('./open-chain.ts').then(({ openChain }) =>
    openChain(settings, payout_key),
  ));
}

/** What the payee of the service owns on the chain in micro-units, and the time of the newest block that the node has. */
export type ChainBalance = { readonly balance: bigint; readonly head_at: Date };

/**
 * Reads the time of the newest block of the node; undefined if no chain is configured.
 *
 * @throws ChainUnavailableError
 */
export async function readChainHead(services: Services): Promise<Date | undefined> {
  if (!services.config.payments.chain) return undefined;
  return (await openSharedChain(services)).readHeadTime();
}

/** Reads what the payee of the service owns on the chain; null if no chain is configured. */
export async function readChainBalance(services: Services): Promise<ChainBalance | null> {
  const settings = services.config.payments.chain;
  if (!settings) return null;
  const chain = await openSharedChain(services);
  // The time is read first: a balance is then at least as new as it says.
  const head_at = await chain.readHeadTime();
  return { balance: await chain.readBalance(settings.payTo), head_at };
}

/** Checks for the doctor that the node of the chain answers, and that it has the chain and the token of the configuration. */
export async function checkChain({
  payments: { chain: settings },
}: Pick<Config, 'payments'>): Promise<Finding> {
  if (!settings) return ['ok', 'not configured; no payments on a chain'];
  const { openChain } = await import('./open-chain.ts');
  const { name } = await openChain(settings).readTokenDomain();
  return ['ok', `chain ${settings.chainId} with the token ${name}`];
}
