import type { FastifyInstance } from 'fastify';
import { Refusal } from '#lib/refusal.ts';

/** Of these, Node keeps the first and forgets the others; a proxy in front may have decided by the last (RFC 9110 section 5.3). */
const single = ['host', 'authorization', 'content-type', 'payment-signature', 'x-payment'] as const;
const singleByLength = new Map<number, (typeof single)[number]>(single.map((name) => [name.length, name]));

/** Refuses requests in which a header that decides who asks for what occurs twice. */
export function refuseRepeatedHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const repeated = findRepeatedHeader(request.raw.rawHeaders);
    if (repeated === undefined) return done();
    return done(
      new Refusal('header_repeated', { detail: `The header ${repeated} may occur only once in a request.` }),
    );
  });
}

/** Looks at names of these lengths only, because this runs for every request. @param rawHeaders Names and values in turns. */
export function findRepeatedHeader(rawHeaders: readonly string[]): string | undefined {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    const candidate = singleByLength.get(name.length);
    if (candidate === undefined || name.toLowerCase() !== candidate) continue;
    const bit = 1 << name.length;
    if ((seen & bit) !== 0) return candidate;
    seen |= bit;
  }
  return undefined;
}
