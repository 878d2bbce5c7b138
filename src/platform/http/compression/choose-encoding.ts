import type { IncomingHttpHeaders } from 'node:http';
import { readWeight } from '#lib/media-type.ts';
import type { ReplyHeaders } from '#platform/http/headers.ts';

/** What a reply can be compressed with, the better one first. */
const encodings = ['br', 'gzip'] as const;

export type Encoding = (typeof encodings)[number];

/** Fonts, images, PDFs and workbooks are compressed already, and signed documents hardly become smaller. */
const compressible = /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|xml)\b|image\/svg)/;

/**
 * Chooses how to compress a reply (RFC 9110 section 12.5.3); undefined if it is sent as it is.
 *
 * A site of an attacker who watches the network can make a browser ask for a page with the visitor's cookie and a guess in its address. If the
 * page repeats its address, it becomes shorter with every right guess at a secret in it (BREACH). Therefore a reply to a request with a cookie
 * is compressed only if the browser says that no other site caused the request, or if everybody gets the same reply. Other requests carry
 * a token that no other site has.
 */
export function chooseEncoding(request: IncomingHttpHeaders, reply: ReplyHeaders): Encoding | undefined {
  if (!isCompressible(reply)) return undefined;
  if (request.cookie !== undefined && !isPublic(reply)) {
    const site = request['sec-fetch-site'];
    if (site !== 'same-origin' && site !== 'none') return undefined;
  }
  return readPreferred(request['accept-encoding']);
}

/** Whether what a reply contains may be compressed. Its bytes then depend on the Accept-Encoding header. */
export function isCompressible(reply: ReplyHeaders): boolean {
  return compressible.test(String(reply['content-type'])) && reply['content-encoding'] === undefined;
}

/** Whether everybody gets the same reply. */
export function isPublic(reply: ReplyHeaders): boolean {
  return String(reply['cache-control']).startsWith('public');
}

/** Adds Accept-Encoding to the headers that a reply depends on. */
export function addVary(reply: ReplyHeaders): string {
  return reply['vary'] === undefined ? 'Accept-Encoding' : `${String(reply['vary'])}, Accept-Encoding`;
}

/** Whether a client refuses a reply that is sent as it is. It still gets one if it accepts no other either. */
export function isPlainRefused(header: string | string[] | undefined): boolean {
  if (header === undefined) return false;
  const weights = readWeights(header);
  return (weights.get('identity') ?? weights.get('*')) === 0;
}

/** Reads the encoding that a client likes best. Of those that it likes equally, the better one. */
function readPreferred(header: string | string[] | undefined): Encoding | undefined {
  if (header === undefined) return undefined;
  const weights = readWeights(header);
  const weigh = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const [first, ...others] = encodings;
  const best = others.reduce<Encoding>((one, other) => (weigh(other) > weigh(one) ? other : one), first);
  // Without a weight of its own, the reply as it is is acceptable, but less so than anything that the client names.
  return weigh(best) > 0 && weigh(best) >= (weights.get('identity') ?? 0) ? best : undefined;
}

function readWeights(header: string | string[]): ReadonlyMap<string, number> {
  return new Map(String(header).toLowerCase().split(',').map(parseWeight));
}

function parseWeight(part: string): readonly [name: string, weight: number] {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
  return [name === 'x-gzip' ? 'gzip' : name, readWeight(parameters)];
}
