import type { ChildProcess } from 'node:child_process';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startNode } from './child.ts';
import { findFreePort } from './ports.ts';

export type Service = {
  readonly child: ChildProcess;
  readonly port: number;
  readonly internalPort: number;
  readonly publicUrl: string;
};

const ready_ms = 60_000;

/** Builds the environment of a command on a data directory, without settings of the caller that would change what is measured. */
function buildEnvironment(dataDir: string): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('TESSERA_'));
  return { ...Object.fromEntries(others), TESSERA_DATA_DIR: dataDir };
}

/** Builds the environment of a service on a data directory, with two free ports. */
async function buildServiceEnvironment(dataDir: string): Promise<NodeJS.ProcessEnv> {
  const [port, internalPort] = [await findFreePort(), await findFreePort()];
  return {
    ...buildEnvironment(dataDir),
    TESSERA_PORT: String(port),
    TESSERA_INTERNAL_PORT: String(internalPort),
  };
}

/** Starts the real service as an operator does, with its log in a file, and waits until it is healthy. */
export async function startService(
  cleaning: AsyncDisposableStack,
  dataDir: string,
  flags: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const env = { ...(await buildServiceEnvironment(dataDir)), ...more };
  const log = await open(path.join(dataDir, '..', 'service.log'), 'a');
  const child = startNode(cleaning, [...flags, 'src/app/main.js', 'serve'], { env, output: log.fd });
  await log.close();
  const service = {
    child,
    port: Number(env['TESSERA_PORT']),
    internalPort: Number(env['TESSERA_INTERNAL_PORT']),
    publicUrl: `http://localhost:${env['TESSERA_PORT']}`,
  };
  await waitUntilHealthy(service);
  return service;
}

async function waitUntilHealthy({ child, port }: Service): Promise<void> {
  const deadline = performance.now() + ready_ms;
  while (performance.now() < deadline && child.exitCode === null) {
    const isHealthy = await fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isHealthy) return;
    await pause(50);
  }
  throw new Error('the service did not start');
}
