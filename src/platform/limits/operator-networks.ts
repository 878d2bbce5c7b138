import type { LoggedInCaller, Role } from '#lib/caller.ts';
import { buildNetworkCheck } from '#lib/network-address.ts';
import { Refusal } from '#lib/refusal.ts';
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

/** Why a caller is not served at a network address: a platform administrator or a service key in another network than the named ones. */
export function findNetworkRefusal(
  config: Pick<Config, 'operatorNetworks'>,
  { role, service_key }: LoggedInCaller,
  address: string,
): Refusal | undefined {
  if (!mayComeFrom(config, role, address)) return refuseOperatorNetwork();
  if (!service_key || service_key.networks.length === 0) return undefined;
  if (address !== '' && buildNetworkCheck(service_key.networks)(address)) return undefined;
  return new Refusal('network_not_allowed', {
    detail: 'This service key is not accepted from this network. An administrator can see its networks.',
  });
}

/** Refuses a platform administrator in another network than those of the operator. */
export function refuseOperatorNetwork(): Refusal {
  return new Refusal('network_not_allowed', {
    detail: 'Platform administrators are served only from TESSERA_OPERATOR_NETWORKS.',
  });
}
