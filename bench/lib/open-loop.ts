import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { sendToParent, waitForMessages } from './parent.ts';

/** The parent's message: the requests to send one after the other, where, and how many of them fall due in a second. */
export type ArrivalOrder = {
  readonly requests: readonly string[];
  readonly port: number;
  readonly rate: number;
  readonly seconds: number;
};

/** The milliseconds from when each request fell due until its reply had come, and how late the slowest one was sent. */
export type Arrivals = { readonly latencies: readonly number[]; readonly latest_send_ms: number };

const sockets_max = 2_000;
const idle: Socket[] = [];

/**
 * Sends requests when they fall due, whether or not earlier ones were answered, each on an idle connection or a new one. A latency counts from
 * the time at which the request fell due, so that a server that stalls is charged with all requests that would have come meanwhile.
 */
async function sendRequests({ requests, port, rate, seconds }: ArrivalOrder): Promise<Arrivals> {
  const latencies: number[] = [];
  const pending = new Set<Promise<void>>();
  const started = performance.now();
  let latest_send_ms = 0;
  const count = rate * seconds;
  for (let sent = 0; sent < count;) {
    for (; sent < count && started + (sent * 1000) / rate <= performance.now(); sent++) {
      const due = started + (sent * 1000) / rate;
      latest_send_ms = Math.max(latest_send_ms, performance.now() - due);
      if (pending.size >= sockets_max) throw new Error(`${sockets_max} requests wait for a reply`);
      const exchange: Promise<void> = exchangeRequest(port, requests[sent % requests.length]!)
        .then(() => void latencies.push(performance.now() - due))
        .finally(() => pending.delete(exchange));
      pending.add(exchange);
    }
    await pause(1);
  }
  await Promise.all(pending);
  return { latencies, latest_send_ms };
}

/** Sends a request and waits for its reply; fails if the status is not 200 or 201. */
function exchangeRequest(port: number, request: string): Promise<void> {
  const socket = takeSocket(port);
  return new Promise((resolve, reject) => {
    let received = '';
    socket.on('error', reject).on('close', () => reject(new Error('the connection was closed')));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      if (end === -1) return;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1]);
      if (received.length < end + 4 + length) return;
      socket.removeAllListeners('data').removeAllListeners('error').removeAllListeners('close');
      socket.on('error', () => socket.destroy());
      idle.push(socket);
      if (/^HTTP\/1\.1 20[01] /.test(received)) resolve();
      else reject(new Error(received.slice(0, 2000)));
    });
    socket.write(request);
  });
}

function takeSocket(port: number): Socket {
  for (let socket = idle.pop(); socket; socket = idle.pop()) if (socket.readyState === 'open') return socket;
  return connect({ port, host: '127.0.0.1', noDelay: true });
}

process.on('message', (message: ArrivalOrder | string) => {
  if (typeof message !== 'string')
    void sendRequests(message).then(sendToParent, (error: unknown) => sendToParent(String(error)));
});
waitForMessages();
