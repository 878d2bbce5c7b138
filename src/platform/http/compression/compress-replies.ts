import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { cacheResults, computeOnce } from '#lib/cache-results.ts';
import { computeEtag, isKnownToClient } from '#platform/etag.ts';
import {
  addVary,
  chooseEncoding,
  isCompressible,
  isPublic,
  isPlainRefused,
  type Encoding,
} from '#platform/http/compression/choose-encoding.ts';
import type { ReplyHeaders } from '#platform/http/headers.ts';

/** Smaller content fits into one packet together with its headers. */
const characters_min = 1_024;

/** From this size on, content is compressed on another thread, and the result is kept if it is public. Below, it takes less than 0.5 ms. */
const large_characters = 32 * 1_024;

/** How many large public documents are kept compressed. The service has about ten. */
const documents_max = 32;

const { BROTLI_PARAM_QUALITY, BROTLI_OPERATION_FLUSH, Z_SYNC_FLUSH } = zlib.constants;
/** With 5 instead of 11, `/docs` takes 9 ms instead of 690 ms, and becomes a sixth larger. */
const brotliOptions = { params: { [BROTLI_PARAM_QUALITY]: 5 } };

const compressHere = {
  br: (content: string | Buffer) => zlib.brotliCompressSync(content, brotliOptions),
  gzip: (content: string | Buffer) => zlib.gzipSync(content),
};

const brotli = promisify(zlib.brotliCompress);
const compressElsewhere = {
  br: (content: string | Buffer) => brotli(content, brotliOptions),
  gzip: promisify(zlib.gzip) as (content: string | Buffer) => Promise<Buffer>,
};

/** The tag and the compressed forms of a large public document, which is the same text for every request. */
const describeDocument = cacheResults(documents_max, (content: string) => ({
  etag: computeEtag(content),
  br: computeOnce(() => compressElsewhere.br(content)),
  gzip: computeOnce(() => compressElsewhere.gzip(content)),
}));

/**
 * Gives public documents an entity tag, says 304 to a client that has the reply already, and compresses replies, by Brotli or gzip as the client likes. A compressed reply has other bytes, so its
 * tag is weak (RFC 9110 section 8.8.1).
 */
export function compressReplies(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (!isComplete(payload)) return done(null, payload);
    const headers = reply.getHeaders() as ReplyHeaders;
    if (isCompressible(headers)) reply.header('vary', addVary(headers));
    if (isRead(request, reply)) {
      const etag = tagDocument(reply, payload);
      if (etag !== undefined && isKnownToClient(request.headers['if-none-match'], etag)) {
        reply.code(304).removeHeader('content-type');
        // For HEAD, the framework replaces text only.
        return done(null, request.method === 'HEAD' ? '' : null);
      }
    }
    const encoding = isWorthCompressing(request, payload)
      ? chooseEncoding(request.headers, headers)
      : undefined;
    if (encoding === undefined) return done(null, payload);
    const compressed = compress(encoding, payload, isPublic(headers));
    const send = (bytes: Buffer) => {
      reply.headers(describeEncoding(encoding, reply.getHeader('etag'))).removeHeader('content-length');
      done(null, bytes);
    };
    return compressed instanceof Promise ? void compressed.then(send, done) : send(compressed);
  });
}

function isComplete(payload: unknown): payload is string | Buffer {
  return (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > 0;
}

function isRead({ method }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return (method === 'GET' || method === 'HEAD') && statusCode === 200;
}

/** A short reply is compressed only for a client that accepts no other. */
function isWorthCompressing({ headers }: FastifyRequest, content: string | Buffer): boolean {
  return content.length >= characters_min || isPlainRefused(headers['accept-encoding']);
}

/** Returns the tag of a reply, which a public document gets here. Resources have tags of their own, and what may not be stored needs none. */
function tagDocument(reply: FastifyReply, content: string | Buffer): string | undefined {
  const own = reply.getHeader('etag');
  if (typeof own === 'string') return own;
  if (!isPublic(reply.getHeaders() as ReplyHeaders)) return undefined;
  const etag = isLargeText(content) ? describeDocument(content).etag : computeEtag(content);
  reply.header('etag', etag);
  return etag;
}

function isLargeText(content: string | Buffer): content is string {
  return typeof content === 'string' && content.length >= large_characters;
}

function compress(
  encoding: Encoding,
  content: string | Buffer,
  is_public: boolean,
): Buffer | Promise<Buffer> {
  if (content.length < large_characters) return compressHere[encoding](content);
  if (is_public && isLargeText(content)) return describeDocument(content)[encoding]();
  return compressElsewhere[encoding](content);
}

/** The headers of a compressed reply. Other bytes than those of the tag make a strong tag weak. */
function describeEncoding(encoding: Encoding, etag: unknown): Record<string, string> {
  const isStrong = typeof etag === 'string' && etag.startsWith('"');
  return { 'content-encoding': encoding, ...(isStrong && { etag: `W/${etag}` }) };
}

/** Opens the compression of a reply that is sent while it is produced. What is written to it leaves at once, so that the client never waits in vain. */
export function openCompression(encoding: Encoding): Transform {
  return encoding === 'br'
    ? zlib.createBrotliCompress({ ...brotliOptions, flush: BROTLI_OPERATION_FLUSH })
    : zlib.createGzip({ flush: Z_SYNC_FLUSH });
}
