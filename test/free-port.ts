import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Finds a port on which nothing listens. It is none of those that Linux gives to outgoing connections (32768 and above), so that no connection
 * takes it before the caller listens.
 */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(12_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new Error('no port is free');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (listening) await new Promise((resolve) => server.close(resolve));
  return listening;
}
