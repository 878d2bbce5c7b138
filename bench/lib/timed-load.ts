import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { sendToParent, waitForMessages } from './parent.ts';

/**
 * A message of the parent: requests to send for some seconds, on so many connections. Each connection waits for its reply and then for a pause; with
 * `per_second` the requests are due at fixed times instead, and one for which no connection is free waits.
 */
export type TimedOrder = {
  readonly port: number;
  readonly requests: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  readonly pause_ms?: number;
  readonly per_second?: number;
};

/** How many milliseconds each reply took, by the status. */
export type TimedReplies = Readonly<Record<string, readonly number[]>>;

process.on('message', (message: TimedOrder | string) => {
  if (typeof message !== 'string') void runOrder(message).then(sendToParent);
});
waitForMessages();

async function runOrder(order: TimedOrder): Promise<TimedReplies> {
  const { port, connections, seconds } = order;
  const replies: Record<string, number[]> = {};
  const ends_ms = performance.now() + seconds * 1_000;
  const takeRequest = createSource(order, ends_ms);
  const sockets = Array.from({ length: connections }, () =>
    connect({ port, host: '127.0.0.1', noDelay: true }),
  );
  const late = setTimeout(() => sockets.forEach((socket) => socket.destroy()), seconds * 1_000 + 15_000);
  await Promise.all(
    sockets.map(async (socket) => {
      for (let next = await takeRequest(); next; next = await takeRequest()) {
        const sent_ms = performance.now();
        const status = await exchangeRequest(socket, next);
        if (status === undefined) return;
        (replies[status] ??= []).push(performance.now() - sent_ms);
      }
    }),
  );
  clearTimeout(late);
  for (const socket of sockets) socket.destroy();
  return replies;
}

/** Creates a function that waits until a request is due; undefined after the end. */
function createSource(
  { requests, pause_ms = 0, per_second }: TimedOrder,
  ends_ms: number,
): () => Promise<Buffer | undefined> {
  const bytes = requests.map((text) => Buffer.from(text));
  const began_ms = performance.now();
  let taken = 0;
  return async () => {
    const place = taken++;
    const wait_ms =
      per_second === undefined
        ? pause_ms * (0.5 + Math.random())
        : began_ms + (place * 1_000) / per_second - performance.now();
    if (performance.now() + wait_ms >= ends_ms) return undefined;
    if (wait_ms > 0) await pause(wait_ms);
    return bytes[place % bytes.length];
  };
}

/** @returns the status of the reply; undefined if the connection ended. */
function exchangeRequest(socket: Socket, bytes: Buffer): Promise<string | undefined> {
  return new Promise((resolve) => {
    let received = '';
    const finish = (status: string | undefined) => {
      socket.removeAllListeners('data').removeAllListeners('error').removeAllListeners('close');
      socket.on('error', () => undefined);
      resolve(status);
    };
    socket.removeAllListeners('error');
    socket.on('error', () => finish(undefined));
    socket.on('close', () => finish(undefined));
    if (socket.destroyed) return finish(undefined);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      if (end === -1) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (received.length >= end + 4 + length) finish(received.slice(9, 12));
    });
    socket.write(bytes);
  });
}
