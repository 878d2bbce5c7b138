import { isIPv6, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * Formats the origin at which other machines reach a server that listens at an address. One that listens at all addresses is reached at the first
 * one of the machine that is not its loopback.
 */
export function formatReachableOrigin(
  { address, port }: AddressInfo,
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): string {
  const outer = Object.values(interfaces).flatMap((each = []) => each.filter(({ internal }) => !internal));
  const first = outer.find(({ family }) => family === 'IPv4') ?? outer.find(({ scopeid }) => scopeid === 0);
  const host = address === '0.0.0.0' || address === '::' ? (first?.address ?? '127.0.0.1') : address;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
