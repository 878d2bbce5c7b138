import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#lib/refusal.ts';

/** How long a stopping server waits for the requests in progress. */
const drain_ms = 15_000;
/** How long it leaves silent connections open. */
const farewell_ms = 500;

/** New requests get 503, so that a load balancer sends them to another node; requests in progress are finished, within a limit. */
export function refuseWhileStopping(server: FastifyInstance): void {
  let stopping = false;
  server.addHook('preClose', async () => {
    stopping = true;
    // The framework closes a server of our own only if it listens. In operator commands none does, and its timers would never end.
    if (server.server.listening) await closeConnections(server.server);
    else server.server.close();
  });
  server.addHook('onRequest', (_request, _reply, done) => {
    done(stopping ? new Refusal('shutting_down', { headers: { 'retry-after': '1' } }) : undefined);
  });
}

/**
 * Accepts no further connection, and waits until all are closed. A request that arrives while its connection is being closed is lost, and its sender
 * cannot know whether it was carried out. So a silent connection stays open for a while, in which its next reply says that it closes.
 */
async function closeConnections(server: Server): Promise<void> {
  const closed = once(server, 'close');
  // That of the class above it would close silent connections at once.
  NetServer.prototype.close.call(server);
  const late = setTimeout(() => server.closeAllConnections(), drain_ms);
  await Promise.race([closed, pause(farewell_ms, undefined, { ref: false })]);
  // A connection stays open for the client's next request after its reply, and the server would wait for it.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
