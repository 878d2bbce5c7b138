import { connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { cloneDatabase } from '#test/harness.ts';
import { openProbe } from './probe.ts';

/** Passes connections on to a server. `cut` closes all of them at once, as a server that dies does. */
async function startProxy({ host = '', port = 0 }: { readonly host?: string; readonly port?: number }) {
  const sockets = new Set<Socket>();
  const proxy = createServer((socket) => {
    // A folder holds the socket of a server on this machine.
    const server = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    for (const each of [socket, server]) each.on('error', () => undefined);
    sockets.add(socket);
    socket.pipe(server).pipe(socket);
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
    sockets.clear();
  };
  onTestFinished(() => {
    cut();
    proxy.close();
  });
  return { port: (proxy.address() as { port: number }).port, cut };
}

test('a connection that is lost while it is asked makes the server down, and the process goes on', async () => {
  const settings = await cloneDatabase();
  const { port, cut } = await startProxy(settings);
  const probe = openProbe({ ...settings, host: '127.0.0.1', port });
  onTestFinished(() => probe.close());
  expect(await probe.readState()).toBe('up');
  cut();
  // The connection is in use before it learns of its loss.
  expect(await probe.readState()).toBe('down');
  expect(await probe.readState()).toBe('up');
});
