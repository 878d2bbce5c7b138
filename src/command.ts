import { startService, type Service } from './service.ts';
import { Refusal } from '#lib/refusal.ts';
import { ConfigError, configFrom } from '#platform/config.ts';
import { isUnavailable } from '#platform/database/database.ts';
import { DataDirInUse } from '#platform/embedded-postgres/index.ts';
import { openLog } from '#platform/telemetry/log.ts';
import { MigrationRefused } from '#platform/database/migrate.ts';
import { startTelemetry } from '#platform/telemetry/telemetry.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `serve` (the default), `work` (background tasks only), `demo`, or `cli <operator command>`.
 *
 * @returns the exit code: 0, 1 for a refusal in one clear line, 2 for wrong usage.
 */
export async function runCommand(
  [command = 'serve', ...words]: readonly string[],
  environment: Environment,
): Promise<number> {
  try {
    if (command === 'migrate') return await cli(['migrate', ...words], environment);
    if (command === 'cli') return await cli(words, environment);
    if ([command, ...words].some((word) => word === '--help' || word === '-h')) return explained();
    if (words.length > 0) return misused(`${command} takes no "${words[0]}"`);
    if (command === 'serve') return await serve(environment);
    if (command === 'work') return await serve({ ...environment, TESSERA_ROLES: 'worker' });
    if (command === 'demo') return await demo(environment);
  } catch (error) {
    return refused(error);
  }
  return misused(`there is no command "${command}"`);
}

const commands = 'serve, work, migrate, cli and demo';

function explained(): number {
  process.stdout.write(
    `usage: tessera [command]\nThe commands are ${commands}; "tessera cli --help" lists those of the operator.\n`,
  );
  return 0;
}

function misused(why: string): number {
  process.stderr.write(`tessera: ${why}; the commands are ${commands}\n`);
  return 2;
}

async function cli(words: readonly string[], environment: Environment): Promise<number> {
  const { runCli } = await import('./cli.ts');
  return runCli(words, environment);
}

async function serve(environment: Environment): Promise<number> {
  const config = configFrom(environment);
  return untilStopped(await startService(config, { telemetry: await telemetryFrom(environment) }));
}

async function demo(environment: Environment): Promise<number> {
  const { runDemo } = await import('./demo/run-demo.ts');
  // The assessment is answered faster than any person could, which the limits are there to stop.
  const config = configFrom({ TESSERA_RATE_LIMITS: 'off', ...environment });
  const service = await startService(config, { quiet: true, telemetry: await telemetryFrom(environment) });
  await runDemo(service);
  return untilStopped(service);
}

function telemetryFrom(environment: Environment) {
  return startTelemetry(environment, openLog({ level: 'warn' }));
}

/** Prints the ready line, and stops cleanly on the first SIGTERM or SIGINT. */
async function untilStopped(service: Service): Promise<number> {
  const told = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  // Whoever waits for this line may send the signal at once.
  process.stdout.write(`tessera ready ${service.url}\n`);
  await told;
  await service.stop();
  return 0;
}

/** What an operator can mend is one line; anything else is a defect, and shows where it happened. */
function refused(error: unknown): number {
  const line = mendable.some((kind) => error instanceof kind)
    ? (error as Error).message
    : troubleOutside(error);
  process.stderr.write(`tessera: ${line ?? (error as Error).stack ?? String(error)}\n`);
  return 1;
}

const mendable = [ConfigError, DataDirInUse, MigrationRefused, Refusal];

/** A port that is taken or forbidden, a database that is away or does not let us in (SQLSTATE classes 28 and 3D). */
function troubleOutside(error: unknown): string | undefined {
  const { code, message } = error as { code?: string; message?: string };
  if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL') return message;
  const refusesUs = code !== undefined && /^(28|3D)/.test(code);
  return refusesUs || isUnavailable(error) ? `the database cannot be used: ${message || code}` : undefined;
}
