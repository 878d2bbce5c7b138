import project from '../../package.json' with { type: 'json' };
import { Refusal } from '#lib/refusal.ts';
import { ConfigError, readConfig, type Config } from '#platform/config.ts';
import { DatabaseError } from 'pg';
import { isUnavailable } from '#platform/database/database.ts';
import { UnsuitableServerError } from '#platform/database/require-suitable-server.ts';
import { MigrationError } from '#platform/database/migrate.ts';
import { DataDirError, DataDirInUseError } from '@tessera/embedded-postgres';
import { openLog } from '#platform/telemetry/log.ts';
import { startTelemetry } from '#platform/telemetry/telemetry.ts';
import type { Additions } from './app.ts';
import { guardProcess } from './guard-process.ts';
import { startService, type Service } from './service.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Runs one command: `serve` (the default), `work` (background tasks only), `demo`, `sandbox`, `migrate`, or `cli <operator command>`.
 *
 * @param additions What `serve` and `work` add to the tables of the service.
 * @returns the exit code: 0, 1 for an error that is reported in one line, or 2 for wrong usage.
 */
export async function runCommand(
  [command = 'serve', ...words]: readonly string[],
  environment: Environment,
  additions?: Additions,
): Promise<number> {
  try {
    if (command === 'migrate') return await runOperatorCli(['migrate', ...words], environment);
    if (command === 'cli') return await runOperatorCli(words, environment);
    if (command === '--version' || command === '-V') return printVersion();
    if ([command, ...words].some((word) => word === '--help' || word === '-h')) return printUsage();
    if (command === 'sandbox') return await runSandboxService(words, environment);
    if (words.length > 0) return reportMisuse(`the command "${command}" does not accept "${words[0]}"`);
    if (command === 'serve') return await runService(environment, additions);
    if (command === 'work') return await runService({ ...environment, TESSERA_ROLES: 'worker' }, additions);
    if (command === 'demo') return await runDemoService(environment);
  } catch (error) {
    return reportError(error);
  }
  return reportMisuse(`unknown command "${command}"`);
}

const commands = 'serve, work, migrate, cli, demo and sandbox';

function printUsage(): number {
  process.stdout.write(
    `usage: tessera [command]\nThe commands are ${commands}. The default is serve. "tessera sandbox --seed 1 --members 500" chooses the people of a sandbox. "tessera cli --help" lists the operator commands.\n`,
  );
  return 0;
}

function printVersion(): number {
  process.stdout.write(`${project.version}\n`);
  return 0;
}

function reportMisuse(message: string): number {
  process.stderr.write(`tessera: ${message}; the commands are ${commands}\n`);
  return 2;
}

async function runOperatorCli(words: readonly string[], environment: Environment): Promise<number> {
  const { runCli } = await import('../tables/cli.ts');
  return runCli(words, environment);
}

async function runService(environment: Environment, additions: Additions | undefined): Promise<number> {
  const config = readConfig(environment);
  const telemetry = await startCommandTelemetry(environment);
  return runUntilStopped(await startService(config, { telemetry, additions }));
}

async function runDemoService(environment: Environment): Promise<number> {
  const { runDemo } = await import('../demo/run-demo.ts');
  return runFilledService(readDemoConfig(environment), environment, runDemo);
}

async function runSandboxService(words: readonly string[], environment: Environment): Promise<number> {
  const { parseSandboxOptions, fillSandbox } = await import('../demo/fill-sandbox.ts');
  const options = parseSandboxOptions(words);
  return runFilledService(readSandboxConfig(environment), environment, ({ app }) =>
    fillSandbox(app, options),
  );
}

/** Runs a service that is filled first. One that keeps running would hide that filling it has failed. */
async function runFilledService(
  config: Config,
  environment: Environment,
  fill: (service: Service) => Promise<unknown>,
): Promise<number> {
  const telemetry = await startCommandTelemetry(environment);
  const service = await startService(config, { quiet: true, telemetry });
  try {
    await fill(service);
  } catch (error) {
    await service.stop();
    throw error;
  }
  return runUntilStopped(service);
}

/** Reads the configuration with the defaults of a sandbox, which may run beside a real service. @throws ConfigError */
export function readSandboxConfig(environment: Environment): Config {
  const isProduction = environment['TESSERA_ENV'] === 'production';
  return readConfig({
    ...environment,
    TESSERA_SANDBOX: 'on',
    TESSERA_DATA_DIR: environment['TESSERA_DATA_DIR'] || '.tessera-sandbox',
    TESSERA_PORT: environment['TESSERA_PORT'] || '8430',
    TESSERA_INTERNAL_PORT: environment['TESSERA_INTERNAL_PORT'] || '8431',
    // The programs that are tried are mostly on the same machine.
    TESSERA_WEBHOOK_ALLOW_PRIVATE:
      environment['TESSERA_WEBHOOK_ALLOW_PRIVATE'] || (isProduction ? 'false' : 'true'),
  });
}

/** Reads the configuration with the defaults of the demonstration. @throws ConfigError, even in production. */
export function readDemoConfig(environment: Environment): Config {
  if (environment['TESSERA_ENV'] === 'production')
    throw new ConfigError('the demonstration is refused when TESSERA_ENV is production');
  return readConfig({
    ...environment,
    // The demo answers the assessment faster than a member could, so the rate limits would stop it.
    TESSERA_RATE_LIMITS: environment['TESSERA_RATE_LIMITS'] || 'off',
    // Its members must not end up in the data of `npm start`.
    TESSERA_DATA_DIR: environment['TESSERA_DATA_DIR'] || '.tessera-demo',
    // Its organisation receives webhooks on this machine.
    TESSERA_WEBHOOK_ALLOW_PRIVATE: environment['TESSERA_WEBHOOK_ALLOW_PRIVATE'] || 'true',
  });
}

function startCommandTelemetry(environment: Environment) {
  return startTelemetry(environment, openLog({ level: 'warn' }));
}

/** Prints the ready line, waits until the process has to stop, and then stops the service. @returns the exit code. */
async function runUntilStopped(service: Service): Promise<number> {
  const { stopped } = guardProcess(service.app.platform.log);
  // The signal handlers are installed first, because a process that waits for this line may send a signal at once.
  process.stdout.write(`tessera ready ${service.url}\n`);
  const code = await stopped;
  await service.stop();
  // What still waits for a reader of standard output, or for a host that has vanished, must not keep the process running.
  // oxlint-disable-next-line unicorn/no-process-exit -- an error would be reported as one, and the stop is complete.
  setTimeout(() => process.exit(), exit_wait_ms).unref();
  return code;
}

const exit_wait_ms = 2_000;

function joinLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('; ');
}

/** Prints one line for an error that the operator can correct. Any other error is a defect and is printed with its stack. */
function reportError(error: unknown): number {
  const line = operatorErrorTypes.some((kind) => error instanceof kind)
    ? (error as Error).message
    : describeEnvironmentError(error);
  const text = line === undefined ? ((error as Error).stack ?? String(error)) : joinLines(line);
  process.stderr.write(`tessera: ${text}\n`);
  return 1;
}

const operatorErrorTypes = [
  ConfigError,
  DataDirError,
  DataDirInUseError,
  MigrationError,
  Refusal,
  UnsuitableServerError,
];

/** Describes an error of the database, of a certificate or of the system: what the service asked for was refused or failed outside it. */
function describeEnvironmentError(error: unknown): string | undefined {
  const { code, message = '', syscall } = error as { code?: string; message?: string; syscall?: string };
  if (code === 'ENOSPC') return `the disk is full: ${message}`;
  if (error instanceof DatabaseError || isUnavailable(error))
    return `the database cannot be used: ${message || code}`;
  if (code !== undefined && certificateFault.test(code))
    return `the certificate of the database cannot be verified (${message}): name its authority by sslrootcert in TESSERA_DATABASE_URL`;
  if (/does not support SSL/.test(message))
    return `the database cannot be used: ${message} (sslmode in TESSERA_DATABASE_URL asks for it)`;
  return syscall === undefined ? undefined : message || code;
}

const certificateFault = /^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_CERT_)/;
