import { createServer, type RequestListener, type Server } from 'node:http';
import { boundPipelining } from '#platform/http/connections/bound-pipelining.ts';

/** The limits of one listening server. */
export type ConnectionBounds = {
  /** Further connections are closed at once. */
  readonly connections_max: number;
  /** From the first byte of a request, or the start of the connection, to the end of the headers. */
  readonly headers_ms: number;
  /** From the first byte of a request to the end of its body. */
  readonly request_ms: number;
  /** How long a connection may be silent: between two requests, or while its client does not read a reply. */
  readonly idle_ms: number;
};

/** How long clients may take, where the configuration does not say otherwise. The slowest request needs less than half of `request_ms` at 64 kB/s. */
export const default_bounds = { headers_ms: 10_000, request_ms: 20_000 } as const;

const check_interval_ms_max = 1_000;

/** Returns a factory of servers for the framework. All limits are Node's own, apart from that on pipelining. */
export function buildServerFactory(bounds: ConnectionBounds): (handler: RequestListener) => Server {
  const { connections_max, headers_ms, request_ms, idle_ms } = bounds;
  return (handler) => {
    const server = createServer(
      {
        headersTimeout: headers_ms,
        requestTimeout: request_ms,
        keepAliveTimeout: idle_ms,
        // Node looks for late requests only now and then: every 30 s by default.
        connectionsCheckingInterval: Math.min(check_interval_ms_max, Math.ceil(headers_ms / 4)),
      },
      boundPipelining(handler),
    );
    server.maxConnections = connections_max;
    // Without it, a client that does not read its reply keeps the connection for ever.
    server.setTimeout(idle_ms);
    return server;
  };
}
