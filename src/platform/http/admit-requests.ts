import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#lib/refusal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What still uses the request: its reply, and its handler. Zero if it was not admitted. */
    holds: number;
  }
}

const retry_after_seconds = '1';

/**
 * Admits requests up to a number in flight, because requests that wait for each other all become slower, and use memory. A request is in
 * flight until its reply is sent and its handler has ended: if the client disconnects before, its work still takes a place. Work that has not
 * begun by then is dropped.
 *
 * Call it before any hook that waits: a reply whose connection is already closed does not emit `close` again.
 */
export function admitRequests(server: FastifyInstance, requests_max: number): void {
  let inFlight = 0;
  const release = (request: FastifyRequest) => {
    if (--request.holds === 0) inFlight--;
  };
  server.decorateRequest('holds', 0);
  server.addHook('onRequest', (request, reply, done) => {
    if (inFlight >= requests_max) return done();
    inFlight++;
    request.holds = 1;
    reply.raw.once('close', () => release(request));
    done();
  });
  server.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = async function handle(request, reply) {
      if (hasClientLeft(request)) return reply.hijack();
      request.holds++;
      try {
        return await handler.call(this, request, reply);
      } finally {
        release(request);
      }
    };
  });
}

/** Refuses the requests that were not admitted with 503. Call it after the hook that adds headers to replies. */
export function refuseExcessRequests(server: FastifyInstance): void {
  server.addHook('onRequest', ({ holds }, _reply, done) => {
    // A client that has left meanwhile holds nothing either, and receives nothing.
    if (holds > 0) return done();
    return done(new Refusal('overloaded', { headers: { 'retry-after': retry_after_seconds } }));
  });
}

/** Whether nobody can receive the reply any more. */
function hasClientLeft({ raw }: FastifyRequest): boolean {
  return raw.socket.destroyed;
}
