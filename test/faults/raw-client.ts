import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { cleanUpAfterFile } from '../clean-up.ts';

/** A connection that sends any bytes, and counts what the server does with them. */
export type RawClient = {
  readonly socket: Socket;
  /** How many replies with status 200 have arrived. */
  readonly countReplies: () => number;
  /** The first 100 kB that arrived, as text. */
  readonly readText: () => string;
  /** Resolves when the connection is closed, by either side. */
  readonly closed: Promise<void>;
};

const text_characters_max = 100_000;
const reply_start = 'HTTP/1.1 200 ';

/** Connects to a port of this machine. The connection is closed after the test file. */
export async function openRawClient(port: number): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  cleanUpAfterFile(() => socket.destroy());
  let replies = 0;
  let text = '';
  let rest = '';
  socket.on('data', (chunk) => {
    const arrived = rest + chunk.toString('latin1');
    replies += arrived.split(reply_start).length - 1;
    rest = arrived.slice(1 - reply_start.length);
    if (text.length < text_characters_max) text += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  await once(socket, 'connect');
  return { socket, countReplies: () => replies, readText: () => text, closed };
}

/** Connects, sends `bytes`, and from then on reads nothing and closes nothing, whatever the server does. */
export async function openStalledClient(port: number, bytes: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  cleanUpAfterFile(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  if (bytes !== '') socket.write(bytes);
  return socket;
}

/** The bytes of a GET request; `padding` makes it as long as those of real clients. */
export function formatGet(path: string, padding = 0): string {
  return `GET /api/v1${path} HTTP/1.1\r\nhost: x\r\n${padding > 0 ? `x-padding: ${'p'.repeat(padding)}\r\n` : ''}\r\n`;
}
