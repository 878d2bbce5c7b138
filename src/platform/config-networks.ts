import { isNetwork } from '#lib/network-address.ts';
import { ConfigError } from '#platform/config-numbers.ts';

/** Reads addresses and networks in CIDR notation. @throws ConfigError that names the variable. */
export function readNetworks(name: string, value: string | undefined): string[] | undefined {
  return value?.split(',').map((each) => checkNetwork(name, each));
}

function checkNetwork(name: string, value: string): string {
  if (!isNetwork(value))
    throw new ConfigError(`${name} is not valid: ${value} is neither an address nor a network`);
  return value;
}
