import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { cleanUpAfterFile } from '#test/clean-up.ts';
import { openTestServer } from '#test/test-server.ts';

const share = 50;

/** Opens connections from an address of this machine, which send nothing. */
function openMany(port: number, localAddress: string, count: number): readonly Socket[] {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined).resume();
    cleanUpAfterFile(async () => void socket.destroy());
    return socket;
  });
  return sockets;
}

const countOpen = (sockets: readonly Socket[]) =>
  sockets.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open').length;

const isServed = async (port: number, localAddress: string) => {
  const [socket] = openMany(port, localAddress, 1);
  socket!.write('GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  return new Promise<boolean>((resolve) => {
    socket!.once('data', () => resolve(true)).once('close', () => resolve(false));
  });
};

test('one address holds its share of the connections, and others are served', async () => {
  const server = await openTestServer([], { TESSERA_CONNECTIONS_MAX: '200' });
  const { port } = await server.listen();
  const sockets = openMany(port, '127.0.0.2', 80);
  await expect.poll(() => countOpen(sockets)).toBe(share);
  expect(await isServed(port, '127.0.0.2')).toBe(false);
  expect(await isServed(port, '127.0.0.3')).toBe(true);
  // A place that becomes free is taken.
  sockets.find(({ destroyed }) => !destroyed)!.destroy();
  await expect.poll(() => isServed(port, '127.0.0.2')).toBe(true);
});

test('a trusted proxy has no share', async () => {
  const server = await openTestServer([], {
    TESSERA_CONNECTIONS_MAX: '200',
    TESSERA_TRUSTED_PROXIES: '127.0.0.0/29',
  });
  const { port } = await server.listen();
  const sockets = openMany(port, '127.0.0.4', 80);
  await expect.poll(() => countOpen(sockets)).toBe(80);
  expect(await isServed(port, '127.0.0.4')).toBe(true);
});
