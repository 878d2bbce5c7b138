import type { Services } from '#platform/platform.ts';
import { openSharedChain } from '../chain/chain.ts';
import { ChainUnavailableError } from '../chain/chain-unavailable.ts';
import { refuseUnavailable } from '../chain/chain-unavailable.ts';
import type { Challenge } from './rules.ts';

/**
 * Writes the message of a challenge (EIP-4361). The same challenge always has the same message, which names this service, so that a signature for
 * another site is worth nothing here.
 */
export async function writeChallengeMessage({ config }: Services, challenge: Challenge): Promise<string> {
  const [{ createSiweMessage }, { getAddress }] = await Promise.all([import('viem/siwe'), import('viem')]);
  return createSiweMessage({
    domain: new URL(config.publicUrl).host,
    address: getAddress(challenge.address),
    statement: `Add this wallet to the organisation ${challenge.org_id}. Its payments will count as payments of this organisation.`,
    uri: config.publicUrl,
    version: '1',
    chainId: config.payments.chain?.chainId ?? 1,
    nonce: challenge.nonce,
    issuedAt: challenge.created_at,
    expirationTime: challenge.expires_at,
  });
}

/**
 * Checks the signature of a challenge: that of the address itself, or else that of a wallet that is a contract on the configured chain
 * (EIP-1271).
 *
 * @throws Refusal `chain_unavailable`.
 */
export async function isSignatureValid(
  services: Services,
  challenge: Challenge,
  signature: `0x${string}`,
): Promise<boolean> {
  const { recoverMessageAddress } = await import('viem');
  const message = await writeChallengeMessage(services, challenge);
  const signer = await recoverMessageAddress({ message, signature }).catch(() => undefined);
  if (signer?.toLowerCase() === challenge.address) return true;
  return (
    services.config.payments.chain !== undefined &&
    isContractSignature(services, challenge, message, signature)
  );
}

async function isContractSignature(
  services: Services,
  { address }: Challenge,
  message: string,
  signature: `0x${string}`,
): Promise<boolean> {
  const chain = await openSharedChain(services);
  const contract = address as `0x${string}`;
  if (!(await chain.hasCode(contract).catch(refuseUnavailable))) return false;
  const faults = chain.countFaults();
  const isValid = await chain.reader
    .verifyMessage({ address: contract, message, signature })
    .catch(() => false);
  // The library reports a node that does not answer as a wrong signature.
  if (!isValid && chain.countFaults() > faults) return refuseUnavailable(new ChainUnavailableError());
  return isValid;
}
