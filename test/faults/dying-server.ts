import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { cleanUpAfterFile } from '../clean-up.ts';

/** A server that speaks as much of PostgreSQL's protocol as a client needs to believe it, and ends each connection at a chosen moment. */
export type DyingServer = {
  readonly settings: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
};

/**
 * Starts a server that replies to every statement with no rows, and ends a connection, as `pg_terminate_backend` does, right behind its reply
 * number `replies`: in the same bytes, so that the client reads the end before anything that waits for the reply can run. The first reply says
 * that the connection is ready.
 */
export async function startDyingServer(replies: number): Promise<DyingServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    serveClient(socket, replies);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUpAfterFile(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as { port: number };
  return { settings: { host: '127.0.0.1', port, user: 'nobody', database: 'nothing' } };
}

function serveClient(socket: Socket, replies: number): void {
  let left = replies;
  let received = Buffer.alloc(0);
  let hasStarted = false;
  const send = (parts: readonly Buffer[]) => {
    left--;
    if (left > 0) socket.write(Buffer.concat([...parts, ready]));
    else if (left === 0) socket.end(Buffer.concat([...parts, ready, terminated]));
  };
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    for (;;) {
      // The first message of a connection has no type.
      const typed = hasStarted ? 1 : 0;
      if (received.length < typed + 4 || received.length < typed + received.readInt32BE(typed)) return;
      const type = hasStarted ? String.fromCharCode(received[0]!) : 'start';
      received = received.subarray(typed + received.readInt32BE(typed));
      hasStarted = true;
      if (type === 'start') send([buildMessage('R', Buffer.alloc(4))]);
      if (type === 'S') send([buildMessage('1'), buildMessage('2'), buildMessage('n'), completed]);
      if (type === 'Q') send([completed]);
    }
  });
}

function buildMessage(type: string, body: Buffer = Buffer.alloc(0)): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const ready = buildMessage('Z', Buffer.from('I'));
const completed = buildMessage('C', Buffer.from('SELECT 0\0'));
const terminated = buildMessage(
  'E',
  Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
);
