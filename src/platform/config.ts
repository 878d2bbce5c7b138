import { Resolver } from 'node:dns';
import path from 'node:path';
import type { IndexShard } from '#lib/concurrency/index-shard.ts';
import { readArchiveConfig, type ArchiveConfig } from '#platform/archive-config.ts';
import {
  checkProductionSettings,
  checkSandboxSettings,
  checkShardSettings,
} from '#platform/config-checks.ts';
import { readSources } from '#platform/config-sources.ts';
import {
  ConfigError,
  indexShardForm,
  parsePositive,
  parseRange,
  readIndexShard,
} from '#platform/config-numbers.ts';
import { readNetworks } from '#platform/config-networks.ts';
import {
  documentUrl,
  operatorText,
  readDocuments,
  type OperatorDocuments,
} from '#platform/operator-documents.ts';
import { readPaymentSettings, selectPayoutRail, type PaymentSettings } from '#platform/payment-settings.ts';

export { ConfigError } from '#platform/config-numbers.ts';
export type { ChainSettings, PaymentSettings } from '#platform/payment-settings.ts';

/** The form of a value, and how an error message describes it: "it must be …". */
type Form = { readonly pattern: RegExp; readonly description: string };

/**
 * The values that a variable accepts. Not a TypeBox schema, because the database starts with these values before most of the code is
 * loaded.
 */
type Variable<Value extends string> = {
  readonly allowed?: readonly Value[];
  readonly form?: Form;
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
const matching = (form: Form): Variable<string> => ({ form });
const text = (fallback: string): VariableWithFallback<string> => ({ fallback });
const buildTextVariable = (form: Form, fallback: string): VariableWithFallback<string> => ({
  form,
  fallback,
});
const exchangeRate: Form = {
  pattern: /^(?!0+(\.0+)?$)\d{1,6}(\.\d{1,6})?$/,
  description: 'a decimal number above zero with at most six decimals, such as 1.52',
};
const wholeNumber: Form = { pattern: /^\d{1,9}$/, description: 'a whole number of at most nine digits' };
const httpUrl: Form = { pattern: /^https?:\/\//, description: 'an http or https URL' };
const networkList: Form = {
  pattern: /^[0-9a-fA-F.:/]+(,[0-9a-fA-F.:/]+)*$/,
  description: 'addresses or networks in CIDR notation, separated by commas',
};
const evmKey: Form = { pattern: /^0x[0-9a-fA-F]{64}$/, description: '0x and 64 hexadecimal digits' };
const evmAddress: Form = { pattern: /^0x[0-9a-fA-F]{40}$/, description: '0x and 40 hexadecimal digits' };

/** The environment variables that Tessera reads. `docs/operating.md` explains them. */
const variables = {
  TESSERA_ENV: oneOf('development', 'development', 'production'),
  TESSERA_SANDBOX: oneOf('off', 'on', 'off'),
  TESSERA_HOST: text('127.0.0.1'),
  TESSERA_PORT: buildTextVariable(wholeNumber, '8420'),
  TESSERA_INTERNAL_HOST: {},
  TESSERA_INTERNAL_PORT: buildTextVariable(wholeNumber, '8421'),
  TESSERA_CONNECTIONS_MAX: buildTextVariable(wholeNumber, '5000'),
  TESSERA_REQUESTS_MAX: buildTextVariable(wholeNumber, '1000'),
  TESSERA_KEEP_ALIVE_SECONDS: buildTextVariable(wholeNumber, '60'),
  TESSERA_LOG_LEVEL: oneOf('info', 'error', 'warn', 'info', 'debug'),
  TESSERA_PUBLIC_URL: matching({
    pattern: /^https?:\/\/[^/?#]+$/,
    description: 'an http or https URL without a path, such as https://tessera.example',
  }),
  TESSERA_TERMS_URL: matching(documentUrl),
  TESSERA_PRIVACY_URL: matching(documentUrl),
  TESSERA_ABOUT_TEXT: matching(operatorText),
  TESSERA_TERMS_TEXT: matching(operatorText),
  TESSERA_PRIVACY_TEXT: matching(operatorText),
  TESSERA_SOURCE_URL: matching(documentUrl),
  TESSERA_TRUSTED_PROXIES: matching(networkList),
  TESSERA_OPERATOR_NETWORKS: matching(networkList),
  TESSERA_DATA_DIR: text('.tessera'),
  TESSERA_ARCHIVE_DIR: {},
  TESSERA_ARCHIVE_URL: {},
  TESSERA_ARCHIVE_REGION: text('us-east-1'),
  TESSERA_ARCHIVE_KEY_ID: {},
  TESSERA_ARCHIVE_SECRET: {},
  TESSERA_ARCHIVE_DAYS: buildTextVariable(wholeNumber, '7'),
  TESSERA_DRILL: oneOf('off', 'nightly', 'off'),
  TESSERA_DATABASE_URL: matching({
    pattern: /^postgres(ql)?:\/\//,
    description: 'a postgres:// or postgresql:// URL',
  }),
  TESSERA_DATABASE_POOL_SIZE: buildTextVariable(wholeNumber, '10'),
  TESSERA_REDIS_URL: matching({ pattern: /^rediss?:\/\//, description: 'a redis:// or rediss:// URL' }),
  TESSERA_MASTER_KEY: matching({ pattern: /^[A-Za-z0-9+/]{43}=$/, description: '32 bytes in base64' }),
  TESSERA_SMTP_URL: matching({ pattern: /^smtps?:\/\//, description: 'an smtp:// or smtps:// URL' }),
  TESSERA_MAIL_FROM: matching({
    pattern:
      /^(?:[^<>"@,;\p{Cc}]{1,100} <[^\s@<>,;]{1,64}@[^\s@<>,;]{1,253}>|[^\s@<>,;]{1,64}@[^\s@<>,;]{1,253})$/u,
    description: 'one address, such as no-reply@example.org or Tessera <no-reply@example.org>',
  }),
  TESSERA_PAYMENT_RAIL: buildTextVariable(
    {
      pattern: /^(none|(mock|transfer|x402)(,(mock|transfer|x402))*)$/,
      description: 'none, or mock, transfer or x402, or several of these separated by commas',
    },
    'mock',
  ),
  TESSERA_COMMIT: matching({ pattern: /^[0-9a-f]{7,64}$/, description: '7 to 64 hexadecimal digits' }),
  TESSERA_ADMIN_EMAIL: matching({ pattern: /^[^@\s]+@[^@\s]+$/, description: 'an email address' }),
  TESSERA_ADMIN_PASSWORD: { minLength: 12 },
  TESSERA_WEBHOOK_ALLOW_PRIVATE: oneOf('false', 'true', 'false'),
  TESSERA_NAME_SERVERS: matching({
    pattern: /^[0-9a-fA-F.:[\]]{1,60}(,[0-9a-fA-F.:[\]]{1,60}){0,7}$/,
    description: 'at most eight IP addresses, each with or without a port, separated by commas',
  }),
  TESSERA_WEBHOOK_RETRY_SECONDS: buildTextVariable(
    {
      pattern: /^\d{1,6}(,\d{1,6}){4}$/,
      description: 'five whole numbers of at most six digits, separated by commas',
    },
    '60,300,900,3600,7200',
  ),
  TESSERA_TOKEN_ALGORITHM: oneOf('ES256', 'ES256', 'RS256'),
  TESSERA_ACCESS_TOKEN_SECONDS: buildTextVariable(wholeNumber, '21600'),
  TESSERA_REFRESH_TOKEN_DAYS: buildTextVariable(wholeNumber, '30'),
  TESSERA_SESSION_DAYS: buildTextVariable(wholeNumber, '90'),
  TESSERA_RATE_LIMITS: oneOf('on', 'on', 'off'),
  TESSERA_EVM_RPC_URL: matching(httpUrl),
  TESSERA_EVM_CHAIN_ID: matching(wholeNumber),
  TESSERA_EVM_ASSET: matching(evmAddress),
  TESSERA_EVM_PAY_TO: matching(evmAddress),
  TESSERA_EVM_CONFIRMATIONS: matching(wholeNumber),
  TESSERA_EVM_FACILITATOR_URL: matching(httpUrl),
  TESSERA_EVM_FACILITATOR_KEY: matching(evmKey),
  TESSERA_EVM_PAYOUT_KEY: matching(evmKey),
  TESSERA_TOP_UP_PAYEE: matching({
    pattern: /^[^\p{Cc}]{1,300}$/u,
    description: 'one line of at most 300 characters that says where organisations send money',
  }),
  TESSERA_AUD_PER_USD: buildTextVariable(exchangeRate, '1.5'),
  TESSERA_SELF_IDENTIFICATION: buildTextVariable(
    {
      pattern: /^[A-Za-z0-9_.=,; ]{0,4000}$/,
      description: 'parts such as DE.ethnicity=none, separated by semicolons',
    },
    '',
  ),
  TESSERA_VOLUNTEERS: oneOf('off', 'on', 'off'),
  TESSERA_AUDIT_DAYS: buildTextVariable(wholeNumber, '1095'),
  TESSERA_RETENTION_SECONDS: buildTextVariable(wholeNumber, '2592000'),
  TESSERA_PAYOUT_HOLD_SECONDS: buildTextVariable(wholeNumber, '604800'),
  TESSERA_PAYOUT_MINIMUM_CENTS: buildTextVariable(wholeNumber, '100'),
  TESSERA_ROLES: oneOf('api,worker', 'api,worker', 'worker,api', 'api', 'worker'),
  TESSERA_INDEX_SHARD: matching(indexShardForm),
} as const satisfies Readonly<Record<string, Variable<string>>>;

type VariableName = keyof typeof variables;
type Environment = {
  readonly [Each in VariableName]: (typeof variables)[Each] extends VariableWithFallback<infer Value>
    ? Value
    : string | undefined;
};

/** All validated settings. Durations are in the unit that their name ends with. */
export type Config = {
  readonly production: boolean;
  /** Whether this service is for trying programs: its people and payments are made up, and it has a test clock. */
  readonly sandbox: boolean;
  readonly host: string;
  readonly port: number;
  /** The address of the internal port, which serves metrics and readiness. */
  readonly internalHost: string;
  readonly internalPort: number;
  /** The limits of the public port. */
  readonly http: {
    readonly connections_max: number;
    /** How many requests may be in flight on all connections together. */
    readonly requests_max: number;
    /** How long a connection may be silent. */
    readonly idle_seconds: number;
  };
  readonly logLevel: 'error' | 'warn' | 'info' | 'debug';
  readonly publicUrl: string;
  readonly documents: OperatorDocuments;
  /** Addresses or networks whose X-Forwarded-For header is trusted; false if none is. */
  readonly trustedProxies: string[] | false;
  /** Addresses or networks from which platform administrators are served; undefined for everywhere. */
  readonly operatorNetworks: readonly string[] | undefined;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly archive: ArchiveConfig | undefined;
  /** How many connections requests and tasks may use at the same time. */
  readonly databasePoolSize: number;
  readonly redisUrl: string | undefined;
  readonly masterKey: Buffer | undefined;
  readonly smtpUrl: string | undefined;
  /** The sender of emails. */
  readonly mailFrom: string;
  /** The commit that runs, if it is not that of a checkout. */
  readonly commit: string | undefined;
  readonly admin: { readonly email: string; readonly password: string } | undefined;
  readonly token: {
    readonly algorithm: 'ES256' | 'RS256';
    readonly access_seconds: number;
    readonly refresh_days: number;
    /** After how many days a session ends, however often it is used. */
    readonly session_days: number;
  };
  readonly rateLimits: boolean;
  /** The time between the request to delete an account and its erasure. */
  readonly retention_seconds: number;
  /** How long a member's income stays pending. */
  readonly payout_hold_seconds: number;
  /** The smallest payout. */
  readonly payout_minimum_cents: number;
  /** Where organisations send money for their prepaid balance; null if the operator says so in another way. */
  readonly top_up_payee: string | null;
  /** How payouts reach their owners; undefined if they cannot. */
  readonly payout_rail: 'mock' | 'chain' | undefined;
  /** The key of the wallet from which payouts are sent. */
  readonly payout_key: `0x${string}` | undefined;
  /** How long entries of the audit log are kept. */
  readonly audit_days: number;
  /** The pauses before the five retries of a webhook delivery. */
  readonly webhook_retry_seconds: readonly number[];
  /** For development and tests: URLs that users give to the service may lead to private addresses. */
  readonly outboundPrivate: boolean;
  readonly payments: PaymentSettings;
  /** Which questions about protected characteristics are asked in which countries; checked by `readJurisdictions` at the start. */
  readonly selfIdentification: string;
  /** How many millionths of an Australian dollar one US dollar is, for the prices of the marketplace. */
  readonly aud_per_usd_micros: bigint;
  /** Whether people without an account are asked for answers to calibrate with. */
  readonly volunteers: boolean;
  /** The name servers that are asked about domains and hosts that users name; empty for those of the system. */
  readonly nameServers: readonly string[];
  readonly serves: { readonly api: boolean; readonly worker: boolean };
  /** The part of the index in memory that this process holds; undefined for the whole. */
  readonly indexShard: IndexShard | undefined;
};

/**
 * Reads and checks the `TESSERA_…` variables of an environment.
 *
 * @throws ConfigError that names the variable, if a variable is unknown, or its value is not valid or refused in production.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const values = validateEnvironment(readSources(environment, Object.keys(variables)));
  const config = buildConfig(values);
  checkProductionSettings(values, config);
  checkSandboxSettings(values, config);
  checkShardSettings(values, config);
  return config;
}

function validateEnvironment(environment: Readonly<Record<string, string | undefined>>): Environment {
  const unknown = Object.keys(environment).find(
    (name) => name.startsWith('TESSERA_') && environment[name] !== '' && !Object.hasOwn(variables, name),
  );
  if (unknown)
    throw new ConfigError(`${unknown} is not a variable of Tessera; docs/operating.md lists all variables`);
  const values = Object.entries<Variable<string>>(variables).map(([name, variable]) => {
    const value = environment[name] || variable.fallback;
    if (value !== undefined) checkVariable(name, value, variable);
    return [name, value] as const;
  });
  // Every value has been checked by its variable, and variables with a fallback have a value.
  return Object.fromEntries(values) as Environment;
}

/** @throws ConfigError */
function checkVariable(
  name: string,
  value: string,
  { allowed, form, minLength = 0 }: Variable<string>,
): void {
  const refuse = (reason: string) => {
    throw new ConfigError(`${name} is not valid: ${reason}`);
  };
  if (allowed && !allowed.includes(value)) refuse(`it must be one of ${allowed.join(' | ')}`);
  if (form && !form.pattern.test(value)) refuse(`it must be ${form.description}`);
  if (value.length < minLength) refuse(`it must have at least ${minLength} characters`);
  if (name.endsWith('_URL') && !URL.canParse(value)) refuse('it is not a URL');
}

function buildConfig(values: Environment): Config {
  const port = parsePort('TESSERA_PORT', values.TESSERA_PORT);
  const roles = values.TESSERA_ROLES.split(',');
  const publicUrl = values.TESSERA_PUBLIC_URL
    ? checkOrigin('TESSERA_PUBLIC_URL', values.TESSERA_PUBLIC_URL)
    : `http://localhost:${port}`;
  return {
    production: values.TESSERA_ENV === 'production',
    sandbox: values.TESSERA_SANDBOX === 'on',
    host: values.TESSERA_HOST,
    port,
    internalHost: values.TESSERA_INTERNAL_HOST ?? values.TESSERA_HOST,
    http: {
      connections_max: parseRange('TESSERA_CONNECTIONS_MAX', values.TESSERA_CONNECTIONS_MAX, 10, 1_000_000),
      requests_max: parseRange('TESSERA_REQUESTS_MAX', values.TESSERA_REQUESTS_MAX, 10, 100_000),
      idle_seconds: parseRange('TESSERA_KEEP_ALIVE_SECONDS', values.TESSERA_KEEP_ALIVE_SECONDS, 30, 3_600),
    },
    logLevel: values.TESSERA_LOG_LEVEL,
    internalPort: parsePort('TESSERA_INTERNAL_PORT', values.TESSERA_INTERNAL_PORT),
    publicUrl,
    documents: readDocuments(values),
    trustedProxies: readNetworks('TESSERA_TRUSTED_PROXIES', values.TESSERA_TRUSTED_PROXIES) ?? false,
    operatorNetworks: readNetworks('TESSERA_OPERATOR_NETWORKS', values.TESSERA_OPERATOR_NETWORKS),
    dataDir: path.resolve(values.TESSERA_DATA_DIR),
    databaseUrl: values.TESSERA_DATABASE_URL,
    archive: readArchiveConfig(values),
    // Two at least: some work commits on a second connection, whatever becomes of the transaction on the first.
    databasePoolSize: parseRange('TESSERA_DATABASE_POOL_SIZE', values.TESSERA_DATABASE_POOL_SIZE, 2, 1_000),
    redisUrl: values.TESSERA_REDIS_URL,
    masterKey: values.TESSERA_MASTER_KEY ? Buffer.from(values.TESSERA_MASTER_KEY, 'base64') : undefined,
    smtpUrl: values.TESSERA_SMTP_URL,
    mailFrom: values.TESSERA_MAIL_FROM ?? `Tessera <no-reply@${new URL(publicUrl).hostname}>`,
    commit: values.TESSERA_COMMIT,
    admin: readAdmin(values),
    token: {
      algorithm: values.TESSERA_TOKEN_ALGORITHM,
      access_seconds: parsePositive('TESSERA_ACCESS_TOKEN_SECONDS', values.TESSERA_ACCESS_TOKEN_SECONDS),
      refresh_days: parsePositive('TESSERA_REFRESH_TOKEN_DAYS', values.TESSERA_REFRESH_TOKEN_DAYS),
      session_days: parseRange('TESSERA_SESSION_DAYS', values.TESSERA_SESSION_DAYS, 1, 3_650),
    },
    rateLimits: values.TESSERA_RATE_LIMITS === 'on',
    retention_seconds: Number(values.TESSERA_RETENTION_SECONDS),
    top_up_payee: values.TESSERA_TOP_UP_PAYEE ?? null,
    payout_hold_seconds: Number(values.TESSERA_PAYOUT_HOLD_SECONDS),
    payout_minimum_cents: parseRange(
      'TESSERA_PAYOUT_MINIMUM_CENTS',
      values.TESSERA_PAYOUT_MINIMUM_CENTS,
      1,
      100_000,
    ),
    payout_rail: selectPayoutRail(values),
    // The form has been checked.
    payout_key: values.TESSERA_EVM_PAYOUT_KEY as `0x${string}` | undefined,
    audit_days: parseRange('TESSERA_AUDIT_DAYS', values.TESSERA_AUDIT_DAYS, 184, 36_500),
    webhook_retry_seconds: values.TESSERA_WEBHOOK_RETRY_SECONDS.split(',').map(Number),
    outboundPrivate: values.TESSERA_WEBHOOK_ALLOW_PRIVATE === 'true',
    selfIdentification: values.TESSERA_SELF_IDENTIFICATION,
    volunteers: values.TESSERA_VOLUNTEERS === 'on',
    payments: readPaymentSettings(values),
    aud_per_usd_micros: BigInt(Math.round(Number(values.TESSERA_AUD_PER_USD) * 1_000_000)),
    nameServers: readNameServers(values.TESSERA_NAME_SERVERS),
    serves: { api: roles.includes('api'), worker: roles.includes('worker') },
    indexShard: readIndexShard(values.TESSERA_INDEX_SHARD),
  };
}

function parsePort(name: string, value: string): number {
  const port = Number(value);
  if (port > 65_535) throw new ConfigError(`${name} is not valid: a port must be between 0 and 65535`);
  return port;
}

/** Issuers are compared character by character, so only one spelling is accepted: lower case, no default port, no user name. */
function checkOrigin(name: string, value: string): string {
  const canonical = new URL(value).origin;
  if (canonical !== value) throw new ConfigError(`${name} is not valid: write it as ${canonical}`);
  return value;
}

function readNameServers(value: string | undefined): readonly string[] {
  const nameServers = value?.split(',') ?? [];
  try {
    if (nameServers.length > 0) new Resolver().setServers(nameServers);
  } catch {
    throw new ConfigError(
      'TESSERA_NAME_SERVERS is not valid: write 192.0.2.1, 192.0.2.1:53 or [2001:db8::1]:53',
    );
  }
  return nameServers;
}

function readAdmin(values: Environment): Config['admin'] {
  const { TESSERA_ADMIN_EMAIL: email, TESSERA_ADMIN_PASSWORD: password } = values;
  if (Boolean(email) !== Boolean(password))
    throw new ConfigError('TESSERA_ADMIN_EMAIL and TESSERA_ADMIN_PASSWORD must be set together');
  return email && password ? { email, password } : undefined;
}
