import { connect, type Socket } from 'node:net';
import { sendToParent, waitForMessages } from './parent.ts';

/** A message of the parent: the requests of each subject. */
export type LoadSetup = { readonly requests: Readonly<Record<string, readonly string[]>> };
/** A message of the parent: how many requests of a subject to send, and where. */
export type LoadOrder = { readonly subject: string; readonly port: number; readonly count: number };

const connections = 16;
const socketsByPort = new Map<number, readonly Socket[]>();
const positions = new Map<string, number>();
let requests: Readonly<Record<string, readonly Buffer[]>> = {};

// Uses bare sockets and prepared requests, because on a small machine the generator takes processor time from the servers.
process.on('message', (message: LoadSetup | LoadOrder | string) => {
  if (typeof message === 'string') return;
  if ('requests' in message) {
    requests = Object.fromEntries(
      Object.entries(message.requests).map(([name, texts]): [string, readonly Buffer[]] => [
        name,
        texts.map((text) => Buffer.from(text)),
      ]),
    );
    sendToParent('ready');
  } else {
    void sendRequests(message).then(sendToParent);
  }
});
waitForMessages();

async function sendRequests({ subject, port, count }: LoadOrder): Promise<string> {
  const sockets = openSockets(port);
  socketsByPort.set(port, sockets);
  const toSend = requests[subject]!;
  // Continues where the last slice ended, so that the requests are spread over all callers and none exceeds its rate limit.
  let position = positions.get(subject) ?? 0;
  const end = position + count;
  positions.set(subject, end);
  const takeRequest = () => (position < end ? toSend[position++ % toSend.length] : undefined);
  try {
    await Promise.all(sockets.map((socket) => exchangeRequests(socket, takeRequest)));
    return 'done';
  } catch (error) {
    return `${subject}: ${String(error)}`;
  }
}

/** Returns the open connections, or new ones if the server has closed any of them because it was idle for too long. */
function openSockets(port: number): readonly Socket[] {
  const open = socketsByPort.get(port);
  if (open?.every(({ readyState }) => readyState === 'open' || readyState === 'opening')) return open;
  for (const socket of open ?? []) socket.destroy();
  return Array.from({ length: connections }, () => connect({ port, host: '127.0.0.1', noDelay: true }));
}

/** Sends one request after the other on a connection; fails at the first reply whose status is not 200 or 201. */
function exchangeRequests(socket: Socket, takeRequest: () => Buffer | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = '';
    const finish = (error?: Error) => {
      socket.removeAllListeners('data').removeAllListeners('error').removeAllListeners('close');
      return error ? reject(error) : resolve();
    };
    const sendNext = () => {
      const request = takeRequest();
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
      if (!/^HTTP\/1\.1 20[01] /.test(received)) return finish(new Error(received.slice(0, 2000)));
      if (isComplete(received, end + 4)) sendNext();
    });
    sendNext();
  });
}

/** Whether a reply has ended, whose body begins at an offset: by its length, or with its last chunk. */
function isComplete(received: string, body: number): boolean {
  const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1];
  return length === undefined ? received.endsWith('\r\n0\r\n\r\n') : received.length >= body + Number(length);
}
