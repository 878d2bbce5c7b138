import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { addVary, chooseEncoding, isCompressible } from '#platform/http/compression/choose-encoding.ts';
import { openCompression } from '#platform/http/compression/compress-replies.ts';
import { joinHeaders, sendReply, type ReplyContent, type ReplyHeaders } from '#platform/http/headers.ts';
import type { Logger } from '#platform/telemetry/log.ts';

/** The longest time that one streamed reply may take, however slowly its client reads. */
const transfer_ms_max = 10 * 60_000;

/** Writes a reply whose content is complete, or is produced while it is sent. */
export function writeContent(
  log: Logger,
  reply: FastifyReply,
  { status, headers, content }: WrittenReply,
): FastifyReply | Promise<FastifyReply> {
  if (typeof content === 'string' || Buffer.isBuffer(content))
    return sendReply(reply, status, headers, content);
  return writeStream(log, reply, { status, headers, content });
}

type WrittenReply = {
  readonly status: number;
  readonly headers: Readonly<ReplyHeaders>;
  readonly content: ReplyContent;
};

type StreamedReply = WrittenReply & { readonly content: AsyncIterable<string | Uint8Array> };

/**
 * Sends parts as they are produced, as fast as the client reads. An error before the first part is thrown, and becomes a problem. After it,
 * the status has been sent, so the connection is reset: the transfer lacks its last chunk, or ends with an error, and no client can take
 * the file for complete. If the client disconnects, production ends with the part in progress.
 */
async function writeStream(
  log: Logger,
  reply: FastifyReply,
  { status, headers, content }: StreamedReply,
): Promise<FastifyReply> {
  const { raw, request } = reply;
  const parts = content[Symbol.asyncIterator]();
  const first = await parts.next();
  const target = startReply(reply, status, headers);
  reply.hijack();
  const late = setTimeout(() => reset(raw), transfer_ms_max);
  try {
    if (request.method !== 'HEAD') await sendParts({ raw, target }, first, parts);
    target.end();
  } catch (error) {
    log.error({ request_id: request.id, err: error }, 'transfer_broken');
    reset(raw);
  } finally {
    clearTimeout(late);
    await parts.return?.().catch((error: unknown) => {
      log.error({ request_id: request.id, err: error }, 'transfer_end_failed');
    });
  }
  return reply;
}

/** Sends the headers of a reply. @returns what its parts are written to: the reply itself, or what compresses it. */
function startReply(
  { raw, request }: FastifyReply,
  status: number,
  headers: Readonly<ReplyHeaders>,
): Writable {
  const all = joinHeaders(request, headers);
  const encoding = chooseEncoding(request.headers, all);
  const encoded = {
    ...(isCompressible(all) && { vary: addVary(all) }),
    ...(encoding && { 'content-encoding': encoding }),
  };
  raw.writeHead(status, { ...all, ...encoded } as Record<string, string | string[]>);
  if (encoding === undefined || request.method === 'HEAD') return raw;
  raw.flushHeaders();
  const compression = openCompression(encoding);
  compression.on('error', () => reset(raw)).pipe(raw);
  return compression;
}

/** The connection to the client, and what is written to: the same, unless the reply is compressed. */
type Transfer = { readonly raw: ServerResponse; readonly target: Writable };

async function sendParts(
  transfer: Transfer,
  first: IteratorResult<string | Uint8Array>,
  parts: AsyncIterator<string | Uint8Array>,
): Promise<void> {
  for (let part = first; part.done !== true; part = await parts.next()) {
    if (transfer.raw.destroyed) return;
    if (!transfer.target.write(part.value)) await waitUntilRead(transfer);
  }
}

/** Waits until the client has read most of what was written, or is gone. */
function waitUntilRead({ raw, target }: Transfer): Promise<void> {
  if (raw.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const proceed = () => {
      target.off('drain', proceed);
      raw.off('close', proceed);
      resolve();
    };
    target.on('drain', proceed);
    raw.on('close', proceed);
  });
}

/** Ends a connection so that even a client of HTTP/1.0, to which the end of the connection is the end of the file, notices. */
function reset(raw: ServerResponse): void {
  if (raw.socket && 'resetAndDestroy' in raw.socket) raw.socket.resetAndDestroy();
  else raw.destroy();
}
