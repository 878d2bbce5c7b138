import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { cleanUpAfterFile } from '../clean-up.ts';
import { findFreePorts, prepareDataDir, runProgram } from './run-tessera.ts';

test('with few descriptors the start warns, and the internal port replies while the public one is exhausted', async () => {
  const ports = await findFreePorts();
  const {
    exited,
    process: shell,
    ready,
    readOutput,
  } = runProgram('/bin/sh', ['-c', `ulimit -n 256 && exec '${process.execPath}' src/app/main.js serve`], {
    TESSERA_DATA_DIR: await prepareDataDir(),
    ...ports,
  });
  await ready;
  expect(readOutput()).toMatch(
    /"connections_max":128,"msg":"[^"]*file descriptors \(ulimit -n\): 256 instead of \d+/,
  );
  // More than the process has descriptors, from more addresses than one has a share of.
  const sockets: Socket[] = [];
  cleanUpAfterFile(() => sockets.forEach((socket) => socket.destroy()));
  for (let number = 0; number < 400; number++) {
    const socket = connect({
      port: Number(ports.TESSERA_PORT),
      host: '127.0.0.1',
      localAddress: `127.0.0.${2 + (number % 20)}`,
    });
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
  }
  for (let asked = 0; asked < 20; asked++) {
    const reply = await fetch(`http://127.0.0.1:${ports.TESSERA_INTERNAL_PORT}/health/ready`);
    expect([reply.status, await reply.json()]).toMatchObject([200, { database: 'up' }]);
  }
  // A place that becomes free is taken.
  for (const socket of sockets) socket.destroy();
  const isServed = () =>
    fetch(`http://127.0.0.1:${ports.TESSERA_PORT}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isServed).toBe(true);
  shell.kill('SIGTERM');
  expect(await exited).toBe(0);
});
