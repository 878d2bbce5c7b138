import { connect, type Socket } from 'node:net';

/** What the parent says: the requests, once, and then how many of them to send where. */
export type LoadSetup = { readonly requests: Readonly<Record<string, readonly string[]>> };
export type LoadOrder = { readonly subject: string; readonly port: number; readonly count: number };

const connections = 16;
const socketsByPort = new Map<number, readonly Socket[]>();
const places = new Map<string, number>();
let requests: Readonly<Record<string, readonly Buffer[]>> = {};

// On bare sockets with requests that are written already: what the generator costs is taken from the servers on a small machine.
process.on('message', (message: LoadSetup | LoadOrder | string) => {
  if (typeof message === 'string') return;
  if ('requests' in message) {
    const written = Object.entries(message.requests).map(([name, texts]) => [
      name,
      texts.map((text) => Buffer.from(text)),
    ]);
    requests = Object.fromEntries(written) as typeof requests;
    process.send!('ready');
  } else {
    void sendRequests(message).then((outcome) => process.send!(outcome));
  }
});
// Waiting to be told is the reason to stay.
process.channel!.ref();

async function sendRequests({ subject, port, count }: LoadOrder): Promise<string> {
  const sockets = openSockets(port);
  socketsByPort.set(port, sockets);
  const toSend = requests[subject]!;
  // Goes on where the last slice ended: callers take turns over all slices, and none meets a rate limit.
  let place = places.get(subject) ?? 0;
  const end = place + count;
  places.set(subject, end);
  const takeRequest = () => (place < end ? toSend[place++ % toSend.length] : undefined);
  try {
    await Promise.all(sockets.map((socket) => exchangeRequests(socket, takeRequest)));
    return 'done';
  } catch (error) {
    return `${subject}: ${(error as Error).message}`;
  }
}

/** The kept connections, or new ones: a server closes what is idle for long, and what is written to a closed one is never answered. */
function openSockets(port: number): readonly Socket[] {
  const kept = socketsByPort.get(port);
  if (kept?.every(({ readyState }) => readyState === 'open' || readyState === 'opening')) return kept;
  for (const socket of kept ?? []) socket.destroy();
  return Array.from({ length: connections }, () => connect({ port, host: '127.0.0.1', noDelay: true }));
}

/** Sends one request after the other on a kept connection; fails at the first answer that is not 200. */
function exchangeRequests(socket: Socket, next: () => Buffer | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = '';
    const finish = (error?: Error) => {
      socket.removeAllListeners('data').removeAllListeners('error').removeAllListeners('close');
      return error ? reject(error) : resolve();
    };
    const sendNext = () => {
      const request = next();
      if (request === undefined) return finish();
      received = '';
      socket.write(request);
    };
    socket.on('error', finish);
    socket.on('close', () => finish(new Error('the connection was closed')));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      if (end === -1) return;
      if (!received.startsWith('HTTP/1.1 200')) return finish(new Error(received.slice(0, 2000)));
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1]);
      if (received.length >= end + 4 + length) sendNext();
    });
    sendNext();
  });
}
