import type { ChildProcess } from 'node:child_process';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort, startNode } from './child.ts';

export type Service = { readonly child: ChildProcess; readonly port: number; readonly publicUrl: string };

const ready_ms = 60_000;

/** The environment of a service on a data directory, and nothing of ours that would change what is measured. */
export async function buildServiceEnvironment(dataDir: string): Promise<Record<string, string>> {
  const [port, internalPort] = [await findFreePort(), await findFreePort()];
  const ours = Object.entries(process.env).filter(([name]) => !name.startsWith('TESSERA_'));
  return {
    ...(Object.fromEntries(ours) as Record<string, string>),
    TESSERA_DATA_DIR: dataDir,
    TESSERA_PORT: String(port),
    TESSERA_INTERNAL_PORT: String(internalPort),
  };
}

/** Starts the real service as an operator does, its log in a file; resolves when it answers. */
export async function startService(
  cleaning: AsyncDisposableStack,
  dataDir: string,
  flags: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const env = { ...(await buildServiceEnvironment(dataDir)), ...more };
  const log = await open(path.join(dataDir, '..', 'service.log'), 'a');
  const child = startNode(cleaning, [...flags, 'src/main.js', 'serve'], {
    env,
    stdio: ['ignore', log.fd, 'inherit'],
  });
  await log.close();
  const service = {
    child,
    port: Number(env['TESSERA_PORT']),
    publicUrl: `http://localhost:${env['TESSERA_PORT']}`,
  };
  await waitUntilHealthy(service);
  return service;
}

async function waitUntilHealthy({ child, port }: Service): Promise<void> {
  const deadline = performance.now() + ready_ms;
  while (performance.now() < deadline && child.exitCode === null) {
    const up = await fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (up) return;
    await pause(50);
  }
  throw new Error('the service did not start');
}
