import { startService, type Service } from './service.ts';
import { Refusal } from '#lib/refusal.ts';
import { ConfigError, readConfig } from '#platform/config.ts';
import { isUnavailable } from '#platform/database/database.ts';
import { DataDirInUseError } from '#platform/embedded-postgres/index.ts';
import { openLog } from '#platform/telemetry/log.ts';
import { MigrationError } from '#platform/database/migrate.ts';
import { startTelemetry } from '#platform/telemetry/telemetry.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `runService` (the default), `work` (background tasks only), `runDemoService`, or `cli <operator command>`.
 *
 * @returns the exit code: 0, 1 for a refusal in one clear line, 2 for wrong usage.
 */
export async function runCommand(
  [command = 'serve', ...words]: readonly string[],
  environment: Environment,
): Promise<number> {
  try {
    if (command === 'migrate') return await runOperatorCli(['migrate', ...words], environment);
    if (command === 'cli') return await runOperatorCli(words, environment);
    if ([command, ...words].some((word) => word === '--help' || word === '-h')) return printUsage();
    if (words.length > 0) return reportMisuse(`${command} takes no "${words[0]}"`);
    if (command === 'serve') return await runService(environment);
    if (command === 'work') return await runService({ ...environment, TESSERA_ROLES: 'worker' });
    if (command === 'demo') return await runDemoService(environment);
  } catch (error) {
    return reportError(error);
  }
  return reportMisuse(`there is no command "${command}"`);
}

const commands = 'serve, work, migrate, cli and demo';

function printUsage(): number {
  process.stdout.write(
    `usage: tessera [command]\nThe commands are ${commands}; "tessera cli --help" lists those of the operator.\n`,
  );
  return 0;
}

function reportMisuse(why: string): number {
  process.stderr.write(`tessera: ${why}; the commands are ${commands}\n`);
  return 2;
}

async function runOperatorCli(words: readonly string[], environment: Environment): Promise<number> {
  const { runCli } = await import('./cli.ts');
  return runCli(words, environment);
}

async function runService(environment: Environment): Promise<number> {
  const config = readConfig(environment);
  return runUntilStopped(await startService(config, { telemetry: await startCommandTelemetry(environment) }));
}

async function runDemoService(environment: Environment): Promise<number> {
  const { runDemo } = await import('./demo/run-demo.ts');
  // The assessment is answered faster than any person could, which the limits are there to stop.
  const config = readConfig({ TESSERA_RATE_LIMITS: 'off', ...environment });
  const service = await startService(config, {
    quiet: true,
    telemetry: await startCommandTelemetry(environment),
  });
  await runDemo(service);
  return runUntilStopped(service);
}

function startCommandTelemetry(environment: Environment) {
  return startTelemetry(environment, openLog({ level: 'warn' }));
}

/** Prints the ready line, and stops cleanly on the first SIGTERM or SIGINT. */
async function runUntilStopped(service: Service): Promise<number> {
  const stopSignal = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  // Whoever waits for this line may send the signal at once.
  process.stdout.write(`tessera ready ${service.url}\n`);
  await stopSignal;
  await service.stop();
  return 0;
}

/** What an operator can mend is one line; anything else is a defect, and shows where it happened. */
function reportError(error: unknown): number {
  const line = operatorErrorTypes.some((kind) => error instanceof kind)
    ? (error as Error).message
    : describeEnvironmentError(error);
  process.stderr.write(`tessera: ${line ?? (error as Error).stack ?? String(error)}\n`);
  return 1;
}

const operatorErrorTypes = [ConfigError, DataDirInUseError, MigrationError, Refusal];

/** A port that is taken or forbidden, a database that is away or does not let us in (SQLSTATE classes 28 and 3D). */
function describeEnvironmentError(error: unknown): string | undefined {
  const { code, message } = error as { code?: string; message?: string };
  if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL') return message;
  const refusesUs = code !== undefined && /^(28|3D)/.test(code);
  return refusesUs || isUnavailable(error) ? `the database cannot be used: ${message || code}` : undefined;
}
