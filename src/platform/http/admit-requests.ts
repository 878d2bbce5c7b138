import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { createFairGate } from '#lib/concurrency/fair-gate.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Database } from '#platform/database/database.ts';
import { createUse, type DatabaseUse } from '#platform/database/share-pool.ts';
import { readClientAddress } from '#platform/http/client-address.ts';
import { toNetwork } from '#platform/limits/rate-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What still uses the request: its reply, and its handler. Zero if it was not admitted. */
    holds: number;
    /** For whom the request began: {@link CallerKeys}. */
    line: string;
    /** Its use of the database. */
    use: DatabaseUse;
    /** The client's network address in its canonical spelling, read once: the framework would parse the proxies' headers at every access. */
    address: string;
  }
}

const retry_after_seconds = '1';

/**
 * How many requests begin in one turn of the event loop, and how many of one caller: with more, what has begun waits longer for its turn. A
 * request costs 0.1 to 0.3 ms before it first waits.
 */
const begins_max = 8;
const begins_each = 1;
/** Those that wait to begin, of which no body has been read: a few kilobytes each. */
const waiting_max = 10_000;

/** Whom a token or a cookie identified last. It decides only in whose line a request waits, so it need not be true any more. */
const known_max = 10_000;
const credential_characters_max = 4_096;

/** Says for whom requests are, before and after they have been identified. */
export type CallerKeys = {
  /** The organisation or user whom the request's token identified before, or else the network of its client. */
  readonly findKey: (request: FastifyRequest) => string;
  /** Remembers whom a request is from. */
  readonly recordCaller: (request: FastifyRequest) => void;
};

export function openCallerKeys(): CallerKeys {
  const known = new LRUCache<string, string>({ max: known_max });
  return {
    findKey: (request) => {
      const credential = readCredential(request);
      const found = credential === undefined ? undefined : known.get(credential);
      return found ?? `network ${toNetwork(request.address)}`;
    },
    recordCaller: (request) => {
      const { caller } = request;
      if (caller.role === 'anonymous') return;
      const key = 'org_id' in caller ? caller.org_id : caller.user_id;
      if (request.use.key === key) return;
      request.use.key = key;
      const credential = readCredential(request);
      if (credential !== undefined) known.set(credential, key);
    },
  };
}

function readCredential({ headers }: FastifyRequest): string | undefined {
  const credential = headers.authorization ?? headers.cookie;
  return credential !== undefined && credential.length <= credential_characters_max ? credential : undefined;
}

type AdmissionOptions = {
  readonly requests_max: number;
  readonly keys: CallerKeys;
  readonly database: Pick<Database, 'runInUse'>;
};

/**
 * Lets requests begin, a few in each turn of the event loop, and callers in turn: a flood then costs others a few turns and not the time of all
 * its requests, whatever these do. Requests that have begun are in flight until their reply is sent and their handler has ended: if the client
 * disconnects before, the work still takes memory. Work that has not begun by then is dropped. One caller may have as many requests in flight
 * as are left to others.
 *
 * Call it before any other hook that waits: a reply whose connection is already closed does not emit `close` again.
 */
export function admitRequests(
  server: FastifyInstance,
  { requests_max, keys, database }: AdmissionOptions,
): void {
  const beginInTurn = createTurns();
  const inFlight = new Map<string, number>();
  let all = 0;
  const takePlace = (request: FastifyRequest) => {
    const own = inFlight.get(request.line) ?? 0;
    if (own >= requests_max - all) return false;
    all++;
    inFlight.set(request.line, own + 1);
    request.holds = 1;
    return true;
  };
  const release = (request: FastifyRequest) => {
    if (--request.holds > 0) return;
    all--;
    const left = inFlight.get(request.line)! - 1;
    if (left > 0) inFlight.set(request.line, left);
    else inFlight.delete(request.line);
  };
  server.decorateRequest('holds', 0);
  server.decorateRequest('line');
  server.decorateRequest('use');
  server.decorateRequest('address');
  server.addHook('onRequest', (request, reply, done) => {
    request.address = readClientAddress(request);
    request.line = keys.findKey(request);
    request.use = createUse(request.line);
    const begin = () => {
      if (hasClientLeft(request)) return;
      if (takePlace(request)) reply.raw.once('close', () => release(request));
      database.runInUse(request.use, done);
    };
    beginInTurn(request.line, begin, done);
  });
  server.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = async function handle(request, reply) {
      if (hasClientLeft(request)) return reply.hijack();
      request.holds++;
      try {
        // A body arrives in the asynchronous context of its connection.
        return await database.runInUse(request.use, () => handler.call(this, request, reply));
      } finally {
        release(request);
      }
    };
  });
}

/** Creates a function that begins something in this turn of the event loop or in a later one, or refuses it after too long a wait. */
function createTurns(): (key: string, begin: () => void, refuse: () => void) => void {
  const gate = createFairGate({ places: begins_max, places_each: begins_each, waiting_max });
  let begun: string[] = [];
  const endTurn = () => {
    const ended = begun;
    begun = [];
    for (const key of ended) gate.leave(key);
  };
  return (key, begin, refuse) => {
    const beginNow = () => {
      if (begun.push(key) === 1) setImmediate(endTurn);
      begin();
    };
    gate.enter(key, beginNow, refuse);
  };
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
