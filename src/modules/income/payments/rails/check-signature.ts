import type { ChainSettings } from '#platform/config.ts';
import type { Chain } from '../chain/chain.ts';
import { ChainUnavailableError } from '../chain/chain-unavailable.ts';
import type { X402Proof } from './proof.ts';

/**
 * Whether an authorisation was signed as it is by its payer: an account, or a contract (EIP-1271).
 *
 * @throws ChainUnavailableError
 */
export async function isSignedByPayer(
  chain: Chain,
  { chainId, asset }: ChainSettings,
  { authorization, signature }: Pick<X402Proof, 'authorization' | 'signature'>,
): Promise<boolean> {
  const [{ recoverTypedDataAddress }, { authorizationTypes }] = await Promise.all([
    import('viem'),
    import('@x402/evm'),
  ]);
  const message = {
    domain: { ...(await chain.readTokenDomain()), chainId, verifyingContract: asset },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: authorization,
    signature,
  } as const;
  const signer = await recoverTypedDataAddress(message).catch(() => undefined);
  if (signer?.toLowerCase() === authorization.from) return true;
  if (!(await chain.hasCode(authorization.from))) return false;
  const faults = chain.countFaults();
  const isValid = await chain.reader
    .verifyTypedData({ ...message, address: authorization.from })
    .catch(() => false);
  // The library reports a node that does not answer as a wrong signature.
  if (!isValid && chain.countFaults() > faults) throw new ChainUnavailableError();
  return isValid;
}
