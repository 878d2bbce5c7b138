/** An invalid configuration. The message is one line that names the variable. */
export class ConfigError extends Error {}

/** @throws ConfigError that names the variable, if its value is zero. */
export function parsePositive(name: string, value: string): number {
  if (Number(value) === 0) throw new ConfigError(`${name} is not valid: it must be above zero`);
  return Number(value);
}

/** @throws ConfigError that names the variable, if its value is out of range. */
export function parseRange(name: string, value: string, least: number, most: number): number {
  const number = Number(value);
  if (number < least || number > most)
    throw new ConfigError(`${name} is not valid: it must be between ${least} and ${most}`);
  return number;
}
