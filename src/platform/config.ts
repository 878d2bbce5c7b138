import { isIP } from 'node:net';
import path from 'node:path';

/** What a variable may hold. Not a TypeBox schema: the database starts on these values, before the larger part of the code is loaded. */
type Variable<Value extends string> = {
  readonly allowed?: readonly Value[];
  readonly pattern?: RegExp;
  readonly minLength?: number;
  readonly fallback?: Value;
};
type VariableWithFallback<Value extends string> = Variable<Value> & { readonly fallback: Value };

const oneOf = <Value extends string>(
  fallback: NoInfer<Value>,
  ...allowed: readonly Value[]
): VariableWithFallback<Value> => ({
  allowed,
  fallback,
});
const matching = (pattern: RegExp): Variable<string> => ({ pattern });
const text = (fallback: string, pattern = /./): VariableWithFallback<string> => ({ pattern, fallback });
const wholeNumber = (fallback: string) => text(fallback, /^\d{1,9}$/);

/** The environment variables that Tessera reads; `README.md` lists them with their meaning. */
const variables = {
  TESSERA_ENV: oneOf('development', 'development', 'production'),
  TESSERA_HOST: text('127.0.0.1'),
  TESSERA_PORT: wholeNumber('8420'),
  TESSERA_INTERNAL_PORT: wholeNumber('8421'),
  TESSERA_PUBLIC_URL: matching(/^https?:\/\/[^/?#]+$/),
  TESSERA_TRUSTED_PROXIES: matching(/^[0-9a-fA-F.:/]+(,[0-9a-fA-F.:/]+)*$/),
  TESSERA_DATA_DIR: text('.tessera'),
  TESSERA_DATABASE_URL: matching(/^postgres(ql)?:\/\//),
  TESSERA_REDIS_URL: matching(/^rediss?:\/\//),
  TESSERA_MASTER_KEY: matching(/^[A-Za-z0-9+/]{43}=$/),
  TESSERA_SMTP_URL: matching(/^smtps?:\/\//),
  TESSERA_PAYMENT_RAIL: text('mock', /^(mock|transfer|x402)(,(mock|transfer|x402))*$/),
  TESSERA_ADMIN_EMAIL: matching(/^[^@\s]+@[^@\s]+$/),
  TESSERA_ADMIN_PASSWORD: { minLength: 12 },
  TESSERA_WEBHOOK_ALLOW_PRIVATE: oneOf('false', 'true', 'false'),
  TESSERA_WEBHOOK_RETRY_SECONDS: text('60,300,900,3600,7200', /^\d{1,6}(,\d{1,6}){4}$/),
  TESSERA_TOKEN_ALGORITHM: oneOf('ES256', 'ES256', 'RS256'),
  TESSERA_ACCESS_TOKEN_SECONDS: wholeNumber('21600'),
  TESSERA_REFRESH_TOKEN_DAYS: wholeNumber('30'),
  TESSERA_RATE_LIMITS: oneOf('on', 'on', 'off'),
  TESSERA_EVM_RPC_URL: matching(/^https?:\/\//),
  TESSERA_EVM_CHAIN_ID: matching(/^\d{1,9}$/),
  TESSERA_EVM_ASSET: matching(/^0x[0-9a-fA-F]{40}$/),
  TESSERA_EVM_PAY_TO: matching(/^0x[0-9a-fA-F]{40}$/),
  TESSERA_EVM_CONFIRMATIONS: matching(/^\d{1,9}$/),
  TESSERA_EVM_FACILITATOR_URL: matching(/^https?:\/\//),
  TESSERA_EVM_FACILITATOR_KEY: matching(/^0x[0-9a-fA-F]{64}$/),
  TESSERA_VC_API: oneOf('off', 'on', 'off'),
  TESSERA_MCP_FIXTURES: oneOf('off', 'on', 'off'),
  TESSERA_RETENTION_SECONDS: wholeNumber('2592000'),
  TESSERA_PAYOUT_HOLD_SECONDS: wholeNumber('604800'),
  TESSERA_ROLES: oneOf('api,worker', 'api,worker', 'worker,api', 'api', 'worker'),
} as const satisfies Readonly<Record<string, Variable<string>>>;

type VariableName = keyof typeof variables;
type Environment = {
  readonly [Each in VariableName]: (typeof variables)[Each] extends VariableWithFallback<infer Value>
    ? Value
    : string | undefined;
};

/** A wrong configuration: one clear line for the operator, naming the variable. */
export class ConfigError extends Error {}

/** Everything that an operator can set, validated; durations in the unit of their name. */
export type Config = {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  readonly internalPort: number;
  readonly publicUrl: string;
  /** Addresses or networks whose X-Forwarded-For is believed; false: nobody's. */
  readonly trustedProxies: string[] | false;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly masterKey: Buffer | undefined;
  readonly smtpUrl: string | undefined;
  readonly admin: { readonly email: string; readonly password: string } | undefined;
  readonly token: {
    readonly algorithm: 'ES256' | 'RS256';
    readonly access_seconds: number;
    readonly refresh_days: number;
  };
  readonly rateLimits: boolean;
  /** From the request to delete an account to its erasure. */
  readonly retention_seconds: number;
  /** Development and tests: what users point us at may be on this machine and its networks. */
  readonly outboundPrivate: boolean;
  /** Test suites may have anything signed: never in production. */
  readonly vcApi: boolean;
  readonly serves: { readonly api: boolean; readonly worker: boolean };
};

/**
 * Reads and checks the `TESSERA_…` variables of an environment.
 *
 * @throws ConfigError naming the variable when a value is wrong, unknown, or refused in production.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const values = validateEnvironment(environment);
  const config = buildConfig(values);
  checkProductionSettings(values, config);
  return config;
}

function validateEnvironment(environment: Readonly<Record<string, string | undefined>>): Environment {
  const unknown = Object.keys(environment).find(
    (name) => name.startsWith('TESSERA_') && environment[name] !== '' && !Object.hasOwn(variables, name),
  );
  if (unknown) throw new ConfigError(`${unknown} is not a variable of Tessera: see the table in README.md`);
  const values = Object.entries<Variable<string>>(variables).map(([name, variable]) => {
    const value = environment[name] || variable.fallback;
    if (value !== undefined) checkVariable(name, value, variable);
    return [name, value] as const;
  });
  return Object.fromEntries(values) as Environment;
}

/** @throws ConfigError */
function checkVariable(
  name: string,
  value: string,
  { allowed, pattern, minLength = 0 }: Variable<string>,
): void {
  const refuse = (why: string) => {
    throw new ConfigError(`${name} is wrong: ${why}`);
  };
  if (allowed && !allowed.includes(value)) refuse(`it must be one of ${allowed.join(' | ')}`);
  if (pattern && !pattern.test(value)) refuse(`it must match ${pattern.source.replaceAll('\\/', '/')}`);
  if (value.length < minLength) refuse(`it needs at least ${minLength} characters`);
  if (name.endsWith('_URL') && !URL.canParse(value)) refuse('it is not a URL');
}

function buildConfig(values: Environment): Config {
  const port = parsePort('TESSERA_PORT', values.TESSERA_PORT);
  const served = values.TESSERA_ROLES.split(',');
  return {
    production: values.TESSERA_ENV === 'production',
    host: values.TESSERA_HOST,
    port,
    internalPort: parsePort('TESSERA_INTERNAL_PORT', values.TESSERA_INTERNAL_PORT),
    publicUrl: values.TESSERA_PUBLIC_URL
      ? checkOrigin('TESSERA_PUBLIC_URL', values.TESSERA_PUBLIC_URL)
      : `http://localhost:${port}`,
    trustedProxies: values.TESSERA_TRUSTED_PROXIES?.split(',').map(checkNetwork) ?? false,
    dataDir: path.resolve(values.TESSERA_DATA_DIR),
    databaseUrl: values.TESSERA_DATABASE_URL,
    redisUrl: values.TESSERA_REDIS_URL,
    masterKey: values.TESSERA_MASTER_KEY ? Buffer.from(values.TESSERA_MASTER_KEY, 'base64') : undefined,
    smtpUrl: values.TESSERA_SMTP_URL,
    admin: readAdmin(values),
    token: {
      algorithm: values.TESSERA_TOKEN_ALGORITHM,
      access_seconds: parsePositive('TESSERA_ACCESS_TOKEN_SECONDS', values.TESSERA_ACCESS_TOKEN_SECONDS),
      refresh_days: parsePositive('TESSERA_REFRESH_TOKEN_DAYS', values.TESSERA_REFRESH_TOKEN_DAYS),
    },
    rateLimits: values.TESSERA_RATE_LIMITS === 'on',
    retention_seconds: Number(values.TESSERA_RETENTION_SECONDS),
    outboundPrivate: values.TESSERA_WEBHOOK_ALLOW_PRIVATE === 'true',
    vcApi: values.TESSERA_VC_API === 'on',
    serves: { api: served.includes('api'), worker: served.includes('worker') },
  };
}

function parsePort(name: string, value: string): number {
  const port = Number(value);
  if (port > 65_535) throw new ConfigError(`${name} is wrong: a port is 0 to 65535`);
  return port;
}

/** Tokens name their issuer letter by letter, so one address has one spelling: small letters, no default port, no user. */
function checkOrigin(name: string, value: string): string {
  const canonical = new URL(value).origin;
  if (canonical !== value) throw new ConfigError(`${name} is wrong: write it as ${canonical}`);
  return value;
}

/** An address, or a network in CIDR notation. */
function checkNetwork(value: string): string {
  const [address = '', bits] = value.split('/');
  const family = isIP(address);
  const most = family === 4 ? 32 : 128;
  if (family === 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)))
    throw new ConfigError(`TESSERA_TRUSTED_PROXIES is wrong: ${value} is not an address or a network`);
  return value;
}

function parsePositive(name: string, value: string): number {
  if (Number(value) === 0) throw new ConfigError(`${name} is wrong: it must be above zero`);
  return Number(value);
}

function readAdmin(values: Environment): Config['admin'] {
  const { TESSERA_ADMIN_EMAIL: email, TESSERA_ADMIN_PASSWORD: password } = values;
  if (Boolean(email) !== Boolean(password))
    throw new ConfigError('TESSERA_ADMIN_EMAIL and TESSERA_ADMIN_PASSWORD must be set together');
  return email && password ? { email, password } : undefined;
}

function checkProductionSettings(values: Environment, config: Config): void {
  if (!config.production) return;
  const refuse = (name: string, why: string) => {
    throw new ConfigError(`${name} ${why} when TESSERA_ENV is production`);
  };
  if (!config.masterKey) refuse('TESSERA_MASTER_KEY', 'must be set');
  if (!config.publicUrl.startsWith('https://')) refuse('TESSERA_PUBLIC_URL', 'must be an https URL');
  if (values.TESSERA_PAYMENT_RAIL.split(',').includes('mock'))
    refuse('TESSERA_PAYMENT_RAIL', 'must not be mock');
  if (!config.rateLimits) refuse('TESSERA_RATE_LIMITS', 'must be on');
  if (values.TESSERA_VC_API === 'on') refuse('TESSERA_VC_API', 'must be off');
  if (values.TESSERA_MCP_FIXTURES === 'on') refuse('TESSERA_MCP_FIXTURES', 'must be off');
  if (values.TESSERA_WEBHOOK_ALLOW_PRIVATE === 'true')
    refuse('TESSERA_WEBHOOK_ALLOW_PRIVATE', 'must be false');
}
