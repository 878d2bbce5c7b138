import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { isIP } from 'node:net';
import path from 'node:path';

const onOff = (fallback: 'on' | 'off') => Type.Enum(['on', 'off'], { default: fallback });
const trueFalse = Type.Enum(['true', 'false'], { default: 'false' });
const wholeNumber = (fallback: string) => Type.String({ pattern: '^\\d{1,9}$', default: fallback });

/** The environment variables that Tessera reads; `README.md` lists them with their meaning. */
const environmentSchema = Type.Object({
  TESSERA_ENV: Type.Enum(['development', 'production'], { default: 'development' }),
  TESSERA_HOST: Type.String({ minLength: 1, default: '127.0.0.1' }),
  TESSERA_PORT: wholeNumber('8420'),
  TESSERA_INTERNAL_PORT: wholeNumber('8421'),
  TESSERA_PUBLIC_URL: Type.Optional(Type.String({ pattern: '^https?://[^/?#]+$' })),
  TESSERA_TRUSTED_PROXIES: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F.:/]+(,[0-9a-fA-F.:/]+)*$' })),
  TESSERA_DATA_DIR: Type.String({ minLength: 1, default: '.tessera' }),
  TESSERA_DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
  TESSERA_REDIS_URL: Type.Optional(Type.String({ pattern: '^rediss?://' })),
  TESSERA_MASTER_KEY: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' })),
  TESSERA_SMTP_URL: Type.Optional(Type.String({ pattern: '^smtps?://' })),
  TESSERA_PAYMENT_RAIL: Type.String({
    pattern: '^(mock|transfer|x402)(,(mock|transfer|x402))*$',
    default: 'mock',
  }),
  TESSERA_ADMIN_EMAIL: Type.Optional(Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$' })),
  TESSERA_ADMIN_PASSWORD: Type.Optional(Type.String({ minLength: 12 })),
  TESSERA_WEBHOOK_ALLOW_PRIVATE: trueFalse,
  TESSERA_WEBHOOK_RETRY_SECONDS: Type.String({
    pattern: '^\\d{1,6}(,\\d{1,6}){4}$',
    default: '60,300,900,3600,7200',
  }),
  TESSERA_TOKEN_ALGORITHM: Type.Enum(['ES256', 'RS256'], { default: 'ES256' }),
  TESSERA_ACCESS_TOKEN_SECONDS: wholeNumber('21600'),
  TESSERA_REFRESH_TOKEN_DAYS: wholeNumber('30'),
  TESSERA_RATE_LIMITS: onOff('on'),
  TESSERA_EVM_RPC_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  TESSERA_EVM_CHAIN_ID: Type.Optional(wholeNumber('1')),
  TESSERA_EVM_ASSET: Type.Optional(Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })),
  TESSERA_EVM_PAY_TO: Type.Optional(Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })),
  TESSERA_EVM_CONFIRMATIONS: Type.Optional(wholeNumber('1')),
  TESSERA_EVM_FACILITATOR_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  TESSERA_EVM_FACILITATOR_KEY: Type.Optional(Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' })),
  TESSERA_VC_API: onOff('off'),
  TESSERA_MCP_FIXTURES: onOff('off'),
  TESSERA_RETENTION_SECONDS: wholeNumber('2592000'),
  TESSERA_PAYOUT_HOLD_SECONDS: wholeNumber('604800'),
  TESSERA_ROLES: Type.Enum(['api,worker', 'worker,api', 'api', 'worker'], { default: 'api,worker' }),
});

type Environment = Static<typeof environmentSchema>;

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
  readonly serves: { readonly api: boolean; readonly worker: boolean };
};

/**
 * Reads and checks the `TESSERA_…` variables of an environment.
 *
 * @throws ConfigError naming the variable when a value is wrong, unknown, or refused in production.
 */
export function configFrom(environment: Readonly<Record<string, string | undefined>>): Config {
  const values = validated(environment);
  const config = shaped(values);
  refuseUnsafeProduction(values, config);
  return config;
}

function validated(environment: Readonly<Record<string, string | undefined>>): Environment {
  const set = Object.entries(environment).filter(
    ([name, value]) => name.startsWith('TESSERA_') && value !== '',
  );
  const unknown = set.find(([name]) => !Object.hasOwn(environmentSchema.properties, name));
  if (unknown)
    throw new ConfigError(`${unknown[0]} is not a variable of Tessera: see the table in README.md`);
  const values = Value.Default(environmentSchema, Object.fromEntries(set));
  for (const [name, schema] of Object.entries(environmentSchema.properties)) {
    const value = (values as Record<string, unknown>)[name];
    if (value === undefined) continue;
    if (!Value.Check(schema, value)) throw new ConfigError(`${name} is wrong: ${expectation(schema)}`);
    if (name.endsWith('_URL') && !URL.canParse(value))
      throw new ConfigError(`${name} is wrong: it is not a URL`);
  }
  return values as Environment;
}

function expectation(schema: object): string {
  const {
    enum: allowed,
    pattern,
    minLength,
  } = schema as { enum?: string[]; pattern?: string; minLength?: number };
  if (allowed) return `it must be one of ${allowed.join(' | ')}`;
  return pattern ? `it must match ${pattern}` : `it needs at least ${minLength} characters`;
}

function shaped(values: Environment): Config {
  const port = boundedPort('TESSERA_PORT', values.TESSERA_PORT);
  const served = values.TESSERA_ROLES.split(',');
  return {
    production: values.TESSERA_ENV === 'production',
    host: values.TESSERA_HOST,
    port,
    internalPort: boundedPort('TESSERA_INTERNAL_PORT', values.TESSERA_INTERNAL_PORT),
    publicUrl: values.TESSERA_PUBLIC_URL
      ? origin('TESSERA_PUBLIC_URL', values.TESSERA_PUBLIC_URL)
      : `http://localhost:${port}`,
    trustedProxies: values.TESSERA_TRUSTED_PROXIES?.split(',').map(network) ?? false,
    dataDir: path.resolve(values.TESSERA_DATA_DIR),
    databaseUrl: values.TESSERA_DATABASE_URL,
    redisUrl: values.TESSERA_REDIS_URL,
    masterKey: values.TESSERA_MASTER_KEY ? Buffer.from(values.TESSERA_MASTER_KEY, 'base64') : undefined,
    smtpUrl: values.TESSERA_SMTP_URL,
    admin: admin(values),
    token: {
      algorithm: values.TESSERA_TOKEN_ALGORITHM,
      access_seconds: positive('TESSERA_ACCESS_TOKEN_SECONDS', values.TESSERA_ACCESS_TOKEN_SECONDS),
      refresh_days: positive('TESSERA_REFRESH_TOKEN_DAYS', values.TESSERA_REFRESH_TOKEN_DAYS),
    },
    rateLimits: values.TESSERA_RATE_LIMITS === 'on',
    retention_seconds: Number(values.TESSERA_RETENTION_SECONDS),
    outboundPrivate: values.TESSERA_WEBHOOK_ALLOW_PRIVATE === 'true',
    serves: { api: served.includes('api'), worker: served.includes('worker') },
  };
}

function boundedPort(name: string, value: string): number {
  const port = Number(value);
  if (port > 65_535) throw new ConfigError(`${name} is wrong: a port is 0 to 65535`);
  return port;
}

/** Tokens name their issuer letter by letter, so one address has one spelling: small letters, no default port, no user. */
function origin(name: string, value: string): string {
  const canonical = new URL(value).origin;
  if (canonical !== value) throw new ConfigError(`${name} is wrong: write it as ${canonical}`);
  return value;
}

/** An address, or a network in CIDR notation. */
function network(value: string): string {
  const [address = '', bits] = value.split('/');
  const family = isIP(address);
  const most = family === 4 ? 32 : 128;
  if (family === 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)))
    throw new ConfigError(`TESSERA_TRUSTED_PROXIES is wrong: ${value} is not an address or a network`);
  return value;
}

function positive(name: string, value: string): number {
  if (Number(value) === 0) throw new ConfigError(`${name} is wrong: it must be above zero`);
  return Number(value);
}

function admin(values: Environment): Config['admin'] {
  const { TESSERA_ADMIN_EMAIL: email, TESSERA_ADMIN_PASSWORD: password } = values;
  if (Boolean(email) !== Boolean(password))
    throw new ConfigError('TESSERA_ADMIN_EMAIL and TESSERA_ADMIN_PASSWORD must be set together');
  return email && password ? { email, password } : undefined;
}

function refuseUnsafeProduction(values: Environment, config: Config): void {
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
