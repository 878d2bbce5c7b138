import { runCli } from './cli.ts';
import { startService, type Service } from './service.ts';
import { ConfigError, configFrom } from '#platform/config.ts';
import { DataDirInUse } from '#platform/embedded-postgres/index.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `serve` (the default), `work` (background tasks only), `demo`, or `cli <operator command>`.
 *
 * @returns the exit code: 0, 1 for a refusal in one clear line, 2 for wrong usage.
 */
export async function runCommand([command = 'serve', ...words]: readonly string[], environment: Environment): Promise<number> {
  try {
    if (command === 'serve') return await serve(environment);
    if (command === 'work') return await serve({ ...environment, TESSERA_ROLES: 'worker' });
    if (command === 'demo') return await demo(environment);
    if (command === 'migrate') return await runCli(['migrate', ...words], environment);
    if (command === 'cli') return await runCli(words, environment);
  } catch (error) {
    return refused(error);
  }
  process.stderr.write(`tessera: there is no command "${command}"; there are serve, work, migrate, cli and demo\n`);
  return 2;
}

async function serve(environment: Environment): Promise<number> {
  return untilStopped(await startService(configFrom(environment)));
}

async function demo(environment: Environment): Promise<number> {
  const { runDemo } = await import('./demo/run-demo.ts');
  // The assessment is answered faster than any person could, which the limits are there to stop.
  const service = await startService(configFrom({ TESSERA_RATE_LIMITS: 'off', ...environment }), { quiet: true });
  await runDemo(service);
  return untilStopped(service);
}

/** Prints the ready line, and stops cleanly on the first SIGTERM or SIGINT. */
async function untilStopped(service: Service): Promise<number> {
  process.stdout.write(`tessera ready ${service.url}\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  await service.stop();
  return 0;
}

/** What an operator can mend is one line; anything else is a defect, and shows where it happened. */
function refused(error: unknown): number {
  const mendable = error instanceof ConfigError || error instanceof DataDirInUse || isPortInUse(error);
  process.stderr.write(`tessera: ${mendable ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`);
  return 1;
}

function isPortInUse(error: unknown): boolean {
  return (error as { code?: string }).code === 'EADDRINUSE';
}
