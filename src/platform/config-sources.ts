import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { ConfigError } from '#platform/config-numbers.ts';

type Values = Readonly<Record<string, string | undefined>>;

/** How long a command may take that prints a secret, for example from a vault. */
const command_ms = 30_000;
/** A certificate fits; a file that was named by mistake does not fill the memory. */
const value_bytes_max = 65_536;

const sources = {
  _FILE: readStart,
  _COMMAND: (command: string) =>
    execFileSync('/bin/sh', ['-c', command], {
      encoding: 'utf8',
      timeout: command_ms,
      maxBuffer: value_bytes_max,
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
} as const;

/**
 * Reads the variables whose value is in a file or printed by a command: `TESSERA_MASTER_KEY_FILE=/run/secrets/key` and
 * `TESSERA_MASTER_KEY_COMMAND="vault read …"` stand for `TESSERA_MASTER_KEY`. A secret is then neither in the environment, which other programs
 * of the same user can read, nor in a file of settings. A line break at the end does not count.
 *
 * @param names The variables that there are.
 * @returns the environment with the values, and without the names of their sources.
 * @throws ConfigError that names the variable and never its value: two sources at once, a file that cannot be read or a command that fails.
 */
export function readSources(environment: Values, names: readonly string[]): Values {
  const values: Record<string, string | undefined> = { ...environment };
  for (const name of names) {
    for (const [ending, read] of Object.entries(sources)) {
      const source = environment[`${name}${ending}`];
      delete values[`${name}${ending}`];
      if (!source) continue;
      if (values[name]) throw new ConfigError(`${name} and ${name}${ending} are both set: set one of them`);
      values[name] = readSource(`${name}${ending}`, () => read(source));
    }
  }
  return values;
}

function readSource(name: string, read: () => string): string {
  const value = runSource(name, read).replace(/\r?\n$/, '');
  if (value === '') throw new ConfigError(`${name} is not valid: it has no content`);
  if (Buffer.byteLength(value) > value_bytes_max)
    throw new ConfigError(`${name} is not valid: it has more than ${value_bytes_max} bytes`);
  return value;
}

/** Reads a file as far as one byte more than a value may have: a device may never end. */
function readStart(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(value_bytes_max + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}

function runSource(name: string, read: () => string): string {
  try {
    return read();
  } catch (error) {
    const { code, status, signal } = error as NodeJS.ErrnoException & { status?: number; signal?: string };
    const reason = code ?? (signal ? `ended by ${signal}` : `exit code ${status}`);
    throw new ConfigError(`${name} cannot be read: ${reason}`);
  }
}
