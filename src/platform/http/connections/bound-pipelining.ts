import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The requests of one connection. */
type Connection = {
  /** The request that arrived last. */
  latest: readonly [IncomingMessage, ServerResponse] | undefined;
  running: number;
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
  isClosed: boolean;
  /** Whether waiting requests are about to be started. */
  isResuming: boolean;
};

const running_max = 8;
const waiting_max = 100;
/** On all connections together; a waiting request takes a few kilobytes. */
const all_waiting_max = 10_000;

const connections = new WeakMap<Socket, Connection>();

/**
 * Limits how many requests of one connection run at the same time. Clients may send requests without waiting for replies (RFC 9112 section
 * 9.3.2), and Node hands over all of them at once: 20 connections with 2,000 requests each made another client wait for 12 s.
 *
 * Up to eight requests of a connection run. While others wait, nothing more is read from the connection. Node parses all requests in the 64
 * kB that it reads at once; if more than a hundred have to wait, they are shorter than those of any client of this service, and the
 * connection is closed. When a client disconnects, its waiting requests are forgotten.
 */
export function boundPipelining(handler: RequestListener): RequestListener {
  let allWaiting = 0;

  return (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket) ?? openConnection(socket);
    if (connection.isClosed) return;
    connection.latest = [request, response];
    if (connection.running < running_max && connection.waiting.length === 0)
      return startRequest(connection, request, response);
    if (connection.waiting.length === waiting_max || allWaiting === all_waiting_max) {
      closeConnection(connection);
      socket.destroy();
      return;
    }
    connection.waiting.push(connection.latest);
    allWaiting++;
    socket.pause();
  };

  function openConnection(socket: Socket): Connection {
    const connection: Connection = {
      latest: undefined,
      running: 0,
      waiting: [],
      isClosed: false,
      isResuming: false,
    };
    connections.set(socket, connection);
    socket.once('close', () => closeConnection(connection));
    // Node reads on after every request that it has parsed. A request that waits is complete or needs no more bytes yet.
    socket.on('resume', () => {
      if (connection.waiting.length > 0) socket.pause();
    });
    return connection;
  }

  function closeConnection(connection: Connection): void {
    connection.isClosed = true;
    allWaiting -= connection.waiting.length;
    connection.waiting.length = 0;
  }

  function startRequest(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.running++;
    // Also emitted if the connection is lost before the reply.
    response.once('close', () => endRequest(connection));
    handler(request, response);
  }

  function endRequest(connection: Connection): void {
    connection.running--;
    if (connection.waiting.length === 0 || connection.isResuming) return;
    connection.isResuming = true;
    // Other connections are read first: requests that end at once would otherwise follow each other without a pause.
    setImmediate(() => {
      connection.isResuming = false;
      startWaiting(connection);
    });
  }

  function startWaiting(connection: Connection): void {
    while (connection.running < running_max) {
      const next = connection.waiting.shift();
      if (!next) return;
      allWaiting--;
      if (connection.waiting.length === 0) next[0].socket.resume();
      startRequest(connection, ...next);
    }
  }
}

/**
 * Whether bytes that cannot be read as a request may be replied to: only if no other reply is due on the connection, because the client would
 * take this one for it. A request whose body is incomplete may be refused this way.
 */
export function mayRejectBytes(socket: Socket): boolean {
  const connection = connections.get(socket);
  if (connection?.latest === undefined) return true;
  const { running, waiting, latest } = connection;
  if (waiting.length > 0) return false;
  if (running === 0) return true;
  const [request, response] = latest;
  return running === 1 && !request.complete && !response.headersSent;
}
