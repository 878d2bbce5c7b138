import type { Role } from '#lib/caller.ts';
import { buildNetworkCheck } from '#lib/network-address.ts';
import type { Config } from '#platform/config.ts';

/**
 * Whether a user of this role may be served at a network address. Platform administrators may be only in the networks that the operator has
 * named: one rule for every page, every row and every login, whatever else an administrator may do.
 */
export function mayComeFrom(
  { operatorNetworks }: Pick<Config, 'operatorNetworks'>,
  role: Role | 'anonymous',
  address: string,
): boolean {
  if (role !== 'platform_admin' || operatorNetworks === undefined) return true;
  // The socket of a client that has just disconnected has no address.
  return address !== '' && buildNetworkCheck(operatorNetworks)(address);
}
