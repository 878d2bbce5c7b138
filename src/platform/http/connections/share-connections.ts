import type { Server } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import { toNetwork } from '#platform/limits/rate-limits.ts';

/** One address may hold a quarter of the connections: a campus behind one address has room, and one client cannot keep everybody else out. */
const share = 1 / 4;
/** A share below this would refuse ordinary clients where few connections are allowed at all. */
const share_min = 50;

/**
 * Closes connections of an address that already holds its share of `connections_max`. The addresses of an IPv6 network count as one. Trusted
 * proxies have no share, because they connect for everybody.
 */
export function shareConnections(
  server: Server,
  connections_max: number,
  trustedProxies: readonly string[] | false,
): void {
  const share_max = Math.max(share_min, Math.floor(connections_max * share));
  const proxies = buildProxyList(trustedProxies || []);
  const held = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    // The client has left already.
    if (remoteAddress === undefined || isListed(proxies, remoteAddress)) return;
    const network = toNetwork(remoteAddress);
    const count = (held.get(network) ?? 0) + 1;
    if (count > share_max) {
      socket.destroy();
      return;
    }
    held.set(network, count);
    socket.once('close', () => {
      const left = held.get(network)! - 1;
      if (left > 0) held.set(network, left);
      else held.delete(network);
    });
  });
}

function buildProxyList(proxies: readonly string[]): BlockList {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function isListed(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
