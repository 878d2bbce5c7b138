import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';

/** How a request reaches its server: the checked addresses, and the connections to them that it may use again. */
export type Route = { readonly addresses: readonly string[]; readonly agent: http.Agent };

/** Finds the route of an owner of connections to the server of a URL. A route that was checked a short time ago is used again. */
export type FindRoute = (owner: string, url: URL, signal: AbortSignal) => Promise<Route>;

/** An idle connection is closed before servers with the shortest usual limit of 5 s would close it. */
const idle_ms = 4_000;
const idle_connections_max = 5;
const servers_max = 1_000;

type KnownServer = Route & { checked_until: number };

/**
 * Creates a function that finds routes whose connections stay open for the next requests of their owner. Every connection of a route leads
 * to addresses that were checked when the route was created: its agent knows no others. After `checked_ms` the name is resolved and checked again. If the addresses have changed or are
 * not allowed any more, the idle connections are closed, and those in use are closed after their request.
 *
 * @param resolveAllowed Resolves the host of a URL to its addresses, and throws if one of them is not allowed.
 */
export function createRoutes(
  resolveAllowed: (url: URL, signal: AbortSignal) => Promise<readonly string[]>,
  checked_ms: number,
): FindRoute {
  const servers = new Map<string, KnownServer>();
  const forget = (key: string, known: KnownServer | undefined) => {
    if (known === undefined) return;
    if (servers.get(key) === known) servers.delete(key);
    closeAgent(known.agent);
  };
  const storeServer = (key: string, server: KnownServer) => {
    servers.set(key, server);
    const [oldest] = servers;
    if (servers.size > servers_max && oldest) forget(...oldest);
    return server;
  };
  return async (owner, url, signal) => {
    const key = `${owner} ${url.origin}`;
    const known = servers.get(key);
    if (known && performance.now() < known.checked_until) return known;
    const addresses = await resolveAllowed(url, signal).catch((error: unknown) => {
      forget(key, known);
      throw error;
    });
    // Another request may have checked the server in the meantime.
    const current = servers.get(key);
    const checked_until = performance.now() + checked_ms;
    if (current && isSameSet(current.addresses, addresses)) {
      current.checked_until = checked_until;
      return current;
    }
    forget(key, current);
    return storeServer(key, { addresses, agent: createAgent(url.protocol, addresses), checked_until });
  };
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((address) => other.includes(address));
}

function createAgent(protocol: string, addresses: readonly string[]): http.Agent {
  const options = {
    keepAlive: true,
    maxFreeSockets: idle_connections_max,
    timeout: idle_ms,
    lookup: createPinnedLookup(addresses),
  };
  return protocol === 'https:' ? new https.Agent(options) : new http.Agent(options);
}

/** Closes the idle connections of an agent now, and those in use when they become idle. */
function closeAgent(agent: http.Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets))
    for (const socket of sockets ?? []) socket.destroy();
}

type Lookup = NonNullable<http.RequestOptions['lookup']>;

/** Creates a lookup that returns the checked addresses without another resolution. */
export function createPinnedLookup(addresses: readonly string[]): Lookup {
  const records = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    if (options.all) return callback(null, records);
    return callback(null, records[0]!.address, records[0]!.family);
  };
}
