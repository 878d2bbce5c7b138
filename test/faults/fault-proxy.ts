import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { cleanUpAfterFile } from '../clean-up.ts';
import type { TestPostgres } from '../global-setup.ts';

/** A TCP proxy in front of a PostgreSQL, whose host can vanish. */
export type FaultProxy = {
  /** The settings of a client that connects through the proxy. */
  readonly settings: TestPostgres;
  /**
   * The host vanishes as in a power cut or behind a dead network: on every open connection no byte and no end arrives from now on, and the
   * server aborts what it was doing for them. With `reachable: false`, new connections are accepted and get no reply either.
   */
  vanish(options?: { readonly reachable?: boolean }): void;
  /** New connections reach the server again. Those that vanished stay silent. */
  recover(): void;
  /** How many connections were opened since the host vanished. */
  countNewConnections(): number;
};

type Link = { readonly client: Socket; readonly server: Socket | undefined };

/** Opens a proxy on a port of the system's choice. It is closed after the test file. */
export async function openFaultProxy(settings: TestPostgres): Promise<FaultProxy> {
  const links = new Set<Link>();
  let reachable = true;
  let opened = 0;
  // Half-open, because a host that vanished never replies to the end of a connection.
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    opened++;
    client.on('error', () => undefined);
    links.add(openLink(client, settings, reachable));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  cleanUpAfterFile(() => {
    proxy.close();
    for (const { client, server } of links) for (const socket of [client, server]) socket?.destroy();
  });
  const { port } = proxy.address() as { port: number };
  return {
    settings: { ...settings, host: '127.0.0.1', port },
    vanish: (options = {}) => {
      reachable = options.reachable ?? true;
      opened = 0;
      for (const { client, server } of links) {
        client.unpipe();
        server?.unpipe().removeAllListeners('end').destroy();
        // What the client still sends is read and lost.
        client.resume();
      }
    },
    recover: () => {
      reachable = true;
    },
    countNewConnections: () => opened,
  };
}

function openLink(client: Socket, { host, port }: TestPostgres, reachable: boolean): Link {
  if (!reachable) return { client: client.resume(), server: undefined };
  const server = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  server.on('error', () => undefined);
  client.pipe(server).pipe(client);
  return { client, server };
}
