import type { FastifyRequest } from 'fastify';
import { buildNetworkCheck, readAddress } from '#lib/network-address.ts';

/** Builds the framework's check whether an address, as a proxy or a socket writes it, is that of a trusted proxy. */
export function buildProxyCheck(networks: readonly string[] | false): false | ((address: string) => boolean) {
  if (networks === false) return false;
  const isTrusted = buildNetworkCheck(networks);
  return (text) => {
    const address = readAddress(text ?? '');
    return address !== undefined && isTrusted(address);
  };
}

/**
 * Reads the network address of the client in its canonical spelling: the first address that is not a trusted proxy's, on the way from here to
 * the client. Where a proxy reports something else than an address, such as `unknown`, the address is that proxy's: text that the client could
 * choose would let it be counted as another client with every request.
 */
export function readClientAddress(request: FastifyRequest): string {
  // The framework has `ips` only if proxies are trusted. The nearest hop comes first.
  const hops = request.ips ?? [request.ip];
  for (const hop of hops.toReversed()) {
    const address = readAddress(hop ?? '');
    if (address !== undefined) return address;
  }
  // The socket of a client that has just disconnected has no address.
  return '';
}
