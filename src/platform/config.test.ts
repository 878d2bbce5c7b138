import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const key = Buffer.alloc(32, 7).toString('base64');

/** The smallest configuration that production accepts. */
const production = {
  TESSERA_ENV: 'production',
  TESSERA_MASTER_KEY: key,
  TESSERA_PUBLIC_URL: 'https://tessera.example',
  TESSERA_PAYMENT_RAIL: 'transfer',
  TESSERA_EVM_RPC_URL: 'https://chain.example/key',
  TESSERA_EVM_CHAIN_ID: '8453',
  TESSERA_EVM_ASSET: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  TESSERA_EVM_PAY_TO: '0x8c1f4a7e2b3d9605c4e8f1a2b7d6093e5f8c1a24',
};

function catchConfigError(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
}

test('an empty environment gives the documented defaults', () => {
  expect(readConfig({})).toEqual({
    production: false,
    sandbox: false,
    host: '127.0.0.1',
    port: 8420,
    internalHost: '127.0.0.1',
    internalPort: 8421,
    http: { connections_max: 5_000, requests_max: 1_000, idle_seconds: 60 },
    logLevel: 'info',
    publicUrl: 'http://localhost:8420',
    documents: {
      terms: null,
      privacy: null,
      source: null,
      texts: { about: null, terms: null, privacy: null },
    },
    trustedProxies: false,
    operatorNetworks: undefined,
    dataDir: path.resolve('.tessera'),
    databaseUrl: undefined,
    databasePoolSize: 10,
    redisUrl: undefined,
    masterKey: undefined,
    smtpUrl: undefined,
    mailFrom: 'Tessera <no-reply@localhost>',
    admin: undefined,
    token: { algorithm: 'ES256', access_seconds: 21_600, refresh_days: 30, session_days: 90 },
    rateLimits: true,
    webhook_retry_seconds: [60, 300, 900, 3_600, 7_200],
    outboundPrivate: false,
    volunteers: false,
    nameServers: [],
    retention_seconds: 2_592_000,
    top_up_payee: null,
    payout_hold_seconds: 604_800,
    payout_minimum_cents: 100,
    payout_rail: 'mock',
    payout_key: undefined,
    payments: { rails: ['mock'], chain: undefined, facilitator: undefined },
    selfIdentification: '',
    aud_per_usd_micros: 1_500_000n,
    audit_days: 1_095,
    serves: { api: true, worker: true },
    indexShard: undefined,
  });
});

test('an empty variable counts as unset, and variables of other programs are ignored', () => {
  expect(readConfig({ TESSERA_PORT: '', TESSERA_MASTER_KEY: '', PATH: '/bin', tessera_port: 'x' })).toEqual(
    readConfig({}),
  );
});

test('name servers are addresses with or without a port', () => {
  const nameServers = ['192.0.2.1', '192.0.2.1:5353', '2001:db8::1', '[2001:db8::1]:5353'];
  expect(readConfig({ TESSERA_NAME_SERVERS: nameServers.join(',') })).toMatchObject({ nameServers });
});

test('the public URL contains the port, and port 0 lets the system choose one', () => {
  expect(readConfig({ TESSERA_PORT: '9000' }).publicUrl).toBe('http://localhost:9000');
  expect(readConfig({ TESSERA_PORT: '0', TESSERA_INTERNAL_PORT: '0' })).toMatchObject({
    port: 0,
    internalPort: 0,
  });
});

test('the internal port has its own address if one is given, and the address of the public port otherwise', () => {
  expect(readConfig({ TESSERA_HOST: '0.0.0.0' }).internalHost).toBe('0.0.0.0');
  expect(readConfig({ TESSERA_HOST: '0.0.0.0', TESSERA_INTERNAL_HOST: '127.0.0.1' })).toMatchObject({
    host: '0.0.0.0',
    internalHost: '127.0.0.1',
  });
});

test.each(['no-reply@example.org', 'Harbour Health <jobs@harbour.example>'])(
  'emails can come from %s',
  (from) => {
    expect(readConfig({ TESSERA_MAIL_FROM: from }).mailFrom).toBe(from);
  },
);

test.each([
  ['TESSERA_LOG_LEVEL', 'loud'],
  ['TESSERA_MAIL_FROM', 'Tessera'],
  ['TESSERA_MAIL_FROM', 'a@example.org, b@example.org'],
  ['TESSERA_MAIL_FROM', 'Tessera <a@example.org>\r\nBcc: b@example.org'],
  ['TESSERA_ENV', 'staging'],
  ['TESSERA_PORT', '65536'],
  ['TESSERA_PORT', '-1'],
  ['TESSERA_PORT', '80a'],
  ['TESSERA_PORT', '8420 '],
  ['TESSERA_INTERNAL_PORT', '99999'],
  ['TESSERA_PUBLIC_URL', 'tessera.example'],
  ['TESSERA_PUBLIC_URL', 'ftp://tessera.example'],
  ['TESSERA_PUBLIC_URL', 'https://tessera.example/'],
  ['TESSERA_PUBLIC_URL', 'https://tessera.example/api'],
  ['TESSERA_PUBLIC_URL', 'https://tessera.example:443'],
  ['TESSERA_PUBLIC_URL', 'https://Tessera.Example'],
  ['TESSERA_PUBLIC_URL', 'https://user:word@tessera.example'],
  ['TESSERA_PUBLIC_URL', 'https://tessera .example'],
  ['TESSERA_TERMS_URL', 'tessera.example/terms'],
  ['TESSERA_TERMS_URL', 'javascript:alert(1)'],
  ['TESSERA_TERMS_URL', 'https://'],
  ['TESSERA_SOURCE_URL', 'git@tessera.example:tessera'],
  ['TESSERA_TERMS_TEXT', ' \n '],
  ['TESSERA_ABOUT_TEXT', 'x'.repeat(60_001)],
  ['TESSERA_PRIVACY_URL', 'https://tessera.example/pri vacy'],
  ['TESSERA_PRIVACY_URL', `https://tessera.example/${'x'.repeat(500)}`],
  ['TESSERA_TRUSTED_PROXIES', 'proxy.internal'],
  ['TESSERA_OPERATOR_NETWORKS', 'office.internal'],
  ['TESSERA_OPERATOR_NETWORKS', '10.0.0.0/33'],
  ['TESSERA_SESSION_DAYS', '0'],
  ['TESSERA_TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TESSERA_TRUSTED_PROXIES', '10.0.0.1,'],
  ['TESSERA_TRUSTED_PROXIES', 'dead'],
  ['TESSERA_TRUSTED_PROXIES', '::1/129'],
  ['TESSERA_NAME_SERVERS', 'dns.example'],
  ['TESSERA_NAME_SERVERS', '192.0.2.1,'],
  ['TESSERA_NAME_SERVERS', '192.0.2.256'],
  ['TESSERA_NAME_SERVERS', 'dead'],
  ['TESSERA_DATABASE_URL', 'mysql://localhost/tessera'],
  ['TESSERA_DATABASE_URL', 'postgres://host:port/tessera'],
  ['TESSERA_DATABASE_POOL_SIZE', '1'],
  ['TESSERA_DATABASE_POOL_SIZE', '1001'],
  ['TESSERA_CONNECTIONS_MAX', '9'],
  ['TESSERA_CONNECTIONS_MAX', '1000001'],
  ['TESSERA_REQUESTS_MAX', '9'],
  ['TESSERA_REQUESTS_MAX', '100001'],
  ['TESSERA_AUDIT_DAYS', '183'],
  ['TESSERA_AUDIT_DAYS', '36501'],
  ['TESSERA_KEEP_ALIVE_SECONDS', '29'],
  ['TESSERA_KEEP_ALIVE_SECONDS', '3601'],
  ['TESSERA_REDIS_URL', 'localhost:6379'],
  ['TESSERA_MASTER_KEY', 'short'],
  ['TESSERA_MASTER_KEY', Buffer.alloc(31).toString('base64')],
  ['TESSERA_MASTER_KEY', Buffer.alloc(33).toString('base64')],
  ['TESSERA_SMTP_URL', 'mail.example'],
  ['TESSERA_PAYMENT_RAIL', 'cash'],
  ['TESSERA_PAYMENT_RAIL', 'mock,'],
  ['TESSERA_PAYMENT_RAIL', 'none,mock'],
  ['TESSERA_EVM_RPC_URL', 'chain.example'],
  ['TESSERA_EVM_CHAIN_ID', 'base'],
  ['TESSERA_EVM_ASSET', '0x12'],
  ['TESSERA_EVM_PAY_TO', 'me'],
  ['TESSERA_EVM_CONFIRMATIONS', '-1'],
  ['TESSERA_EVM_FACILITATOR_URL', 'pay.example'],
  ['TESSERA_EVM_FACILITATOR_KEY', '0x12'],
  ['TESSERA_ADMIN_EMAIL', 'nobody'],
  ['TESSERA_ADMIN_PASSWORD', 'short'],
  ['TESSERA_WEBHOOK_ALLOW_PRIVATE', 'yes'],
  ['TESSERA_WEBHOOK_RETRY_SECONDS', '60,300'],
  ['TESSERA_TOKEN_ALGORITHM', 'HS256'],
  ['TESSERA_ACCESS_TOKEN_SECONDS', '0'],
  ['TESSERA_ACCESS_TOKEN_SECONDS', '1e3'],
  ['TESSERA_REFRESH_TOKEN_DAYS', '0'],
  ['TESSERA_RATE_LIMITS', 'true'],
  ['TESSERA_EVM_RPC_URL', 'localhost'],
  ['TESSERA_EVM_ASSET', '0x12'],
  ['TESSERA_EVM_FACILITATOR_KEY', '0x12'],
  ['TESSERA_RETENTION_SECONDS', 'a month'],
  ['TESSERA_ROLES', 'api,web'],
  ['TESSERA_INDEX_SHARD', '0/4'],
  ['TESSERA_INDEX_SHARD', '5/4'],
  ['TESSERA_INDEX_SHARD', '1/0'],
  ['TESSERA_INDEX_SHARD', 'a/b'],
  ['TESSERA_INDEX_SHARD', '1/1000'],
  ['TESSERA_INDEX_SHARD', '1/129'],
  ['TESSERA_INDEX_SHARD', '4'],
  ['TESSERA_INDEX_SHARD', '01/4'],
  ['TESSERA_PROT', '8420'],
])('refuses %s=%s in one line that names the variable', (name, value) => {
  const line = catchConfigError({ [name]: value });
  expect(line).toContain(name);
  expect(line).not.toContain('\n');
});

test('an error describes the expected form in words, not as a regular expression', () => {
  expect(catchConfigError({ TESSERA_MASTER_KEY: 'short' })).toBe(
    'TESSERA_MASTER_KEY is not valid: it must be 32 bytes in base64',
  );
});

test('any value is accepted or refused with the name of its variable, and a secret is never repeated', () => {
  const name = fc.constantFrom(
    'TESSERA_PORT',
    'TESSERA_MASTER_KEY',
    'TESSERA_PUBLIC_URL',
    'TESSERA_TRUSTED_PROXIES',
    'TESSERA_DATABASE_URL',
  );
  fc.assert(
    fc.property(name, fc.string({ minLength: 12 }), (name, value) => {
      const line = catchConfigError({ [name]: value });
      const secret = name === 'TESSERA_MASTER_KEY' || name === 'TESSERA_DATABASE_URL';
      expect(line === 'accepted' || line.includes(name)).toBe(true);
      expect(secret && line.includes(value)).toBe(false);
    }),
  );
});

test('the first administrator needs both an email address and a password', () => {
  const admin = { TESSERA_ADMIN_EMAIL: 'root@example.org', TESSERA_ADMIN_PASSWORD: 'Correct-Horse-7' };
  expect(readConfig(admin).admin).toEqual({ email: 'root@example.org', password: 'Correct-Horse-7' });
  expect(catchConfigError({ TESSERA_ADMIN_EMAIL: admin.TESSERA_ADMIN_EMAIL })).toMatch(
    /TESSERA_ADMIN_PASSWORD/,
  );
  expect(catchConfigError({ TESSERA_ADMIN_PASSWORD: admin.TESSERA_ADMIN_PASSWORD })).toMatch(
    /TESSERA_ADMIN_EMAIL/,
  );
});

test('trusted proxies are addresses and networks', () => {
  const environment = { TESSERA_TRUSTED_PROXIES: '10.0.0.0/8,192.0.2.1,2001:db8::/32' };
  expect(readConfig(environment).trustedProxies).toEqual(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']);
});

test('a process serves the API, runs background tasks, or both', () => {
  expect(readConfig({ TESSERA_ROLES: 'api' }).serves).toEqual({ api: true, worker: false });
  expect(readConfig({ TESSERA_ROLES: 'worker' }).serves).toEqual({ api: false, worker: true });
  expect(readConfig({ TESSERA_ROLES: 'worker,api' }).serves).toEqual({ api: true, worker: true });
});

test('a process may hold a part of the index, if it shares the database and the master key with the others', () => {
  const environment = {
    TESSERA_INDEX_SHARD: '2/4',
    TESSERA_DATABASE_URL: 'postgres://db.internal/tessera',
    TESSERA_MASTER_KEY: key,
  };
  expect(readConfig(environment).indexShard).toEqual({ shard: 2, shards: 4 });
  for (const name of ['TESSERA_DATABASE_URL', 'TESSERA_MASTER_KEY'])
    expect(catchConfigError({ ...environment, [name]: '' })).toBe(
      `${name} must be set when TESSERA_INDEX_SHARD is set`,
    );
  expect(catchConfigError({ ...environment, TESSERA_ROLES: 'api' })).toBe(
    'TESSERA_ROLES must contain worker when TESSERA_INDEX_SHARD is set',
  );
});

const x402 = { ...production, TESSERA_PAYMENT_RAIL: 'x402' };
const facilitatorKey = `0x${'ab'.repeat(32)}`;

test('payments on a chain have its settings, and more confirmations in production', () => {
  const chain = {
    rpcUrl: 'https://chain.example/key',
    chainId: 8_453,
    asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    payTo: '0x8c1f4a7e2b3d9605c4e8f1a2b7d6093e5f8c1a24',
    confirmations: 2,
  };
  expect(readConfig(production).payments).toEqual({ rails: ['transfer'], chain, facilitator: undefined });
  const { payments } = readConfig({
    ...x402,
    TESSERA_ENV: 'development',
    TESSERA_PAYMENT_RAIL: 'x402,mock',
    TESSERA_EVM_FACILITATOR_KEY: facilitatorKey,
  });
  expect(payments).toEqual({
    rails: ['mock', 'x402'],
    chain: { ...chain, confirmations: 1 },
    facilitator: { key: facilitatorKey },
  });
  expect(
    readConfig({ ...x402, TESSERA_EVM_FACILITATOR_URL: 'https://pay.example' }).payments.facilitator,
  ).toEqual({
    url: 'https://pay.example',
  });
});

test('production without payments needs no chain', () => {
  const { TESSERA_ENV, TESSERA_MASTER_KEY, TESSERA_PUBLIC_URL } = production;
  const config = readConfig({
    TESSERA_ENV,
    TESSERA_MASTER_KEY,
    TESSERA_PUBLIC_URL,
    TESSERA_PAYMENT_RAIL: 'none',
  });
  expect(config.payments).toEqual({ rails: [], chain: undefined, facilitator: undefined });
});

test.each([
  ['TESSERA_EVM_RPC_URL', { TESSERA_EVM_RPC_URL: '' }],
  ['TESSERA_EVM_CHAIN_ID', { TESSERA_EVM_CHAIN_ID: '' }],
  ['TESSERA_EVM_CHAIN_ID', { TESSERA_EVM_CHAIN_ID: '0' }],
  ['TESSERA_EVM_ASSET', { TESSERA_EVM_ASSET: '' }],
  ['TESSERA_EVM_PAY_TO', { TESSERA_EVM_PAY_TO: '' }],
  ['TESSERA_EVM_CONFIRMATIONS', { TESSERA_EVM_CONFIRMATIONS: '0' }],
  ['TESSERA_EVM_FACILITATOR_URL', { TESSERA_PAYMENT_RAIL: 'x402' }],
  [
    'TESSERA_EVM_FACILITATOR_KEY',
    {
      ...x402,
      TESSERA_EVM_FACILITATOR_URL: 'https://pay.example',
      TESSERA_EVM_FACILITATOR_KEY: facilitatorKey,
    },
  ],
])('a chain without a usable %s is refused in one line, without its secrets', (name, changes) => {
  const message = catchConfigError({ ...production, ...changes });
  expect(message).toContain(name);
  expect(message).not.toMatch(/\n|chain\.example|abab/);
});

test('production accepts a master key, an https URL and a real payment rail', () => {
  expect(readConfig(production)).toMatchObject({ production: true, masterKey: Buffer.alloc(32, 7) });
});

test.each([
  ['TESSERA_MASTER_KEY', ''],
  ['TESSERA_PUBLIC_URL', ''],
  ['TESSERA_PUBLIC_URL', 'http://tessera.example'],
  ['TESSERA_PAYMENT_RAIL', ''],
  ['TESSERA_PAYMENT_RAIL', 'transfer,mock'],
  ['TESSERA_RATE_LIMITS', 'off'],
  ['TESSERA_WEBHOOK_ALLOW_PRIVATE', 'true'],
])('production refuses %s=%s', (name, value) => {
  expect(catchConfigError({ ...production, [name]: value })).toMatch(new RegExp(`^${name} .* production$`));
});

test('a sandbox takes made-up payments alone, including in production', () => {
  const sandbox = { ...production, TESSERA_SANDBOX: 'on', TESSERA_PAYMENT_RAIL: 'mock' };
  expect(readConfig(sandbox)).toMatchObject({
    sandbox: true,
    production: true,
    payments: { rails: ['mock'] },
  });
  expect(catchConfigError({ ...sandbox, TESSERA_PAYMENT_RAIL: 'transfer' })).toMatch(
    /^TESSERA_PAYMENT_RAIL must be mock/,
  );
  expect(catchConfigError({ ...sandbox, TESSERA_DATABASE_URL: 'postgres://db/tessera' })).toMatch(
    /^TESSERA_DATABASE_URL must be unset/,
  );
  expect(catchConfigError({ ...sandbox, TESSERA_ROLES: 'worker' })).toMatch(
    /^TESSERA_ROLES must be api,worker/,
  );
});

const bucket = {
  TESSERA_ARCHIVE_URL: 'https://s3.example/archives/tessera/',
  TESSERA_ARCHIVE_KEY_ID: 'AKIDEXAMPLE',
  TESSERA_ARCHIVE_SECRET: 'a-secret-of-the-archive',
};

test('an archive is in a directory, or in a bucket whose address has no slash at the end', () => {
  const { place } = readConfig(bucket).archive!;
  expect(place).toEqual({
    url: 'https://s3.example/archives/tessera',
    region: 'us-east-1',
    key_id: 'AKIDEXAMPLE',
    secret: 'a-secret-of-the-archive',
  });
  expect(readConfig({ TESSERA_ARCHIVE_DIR: '/mnt/archive' }).archive!.place).toBe('/mnt/archive');
  for (const url of ['http://127.0.0.1:9000/archives', 'http://storage:9000/archives'])
    expect(readConfig({ ...bucket, TESSERA_ARCHIVE_URL: url }).archive!.place).toMatchObject({ url });
});

test.each([
  ['TESSERA_ARCHIVE_KEY_ID', { TESSERA_ARCHIVE_KEY_ID: '' }],
  ['TESSERA_ARCHIVE_SECRET', { TESSERA_ARCHIVE_SECRET: '' }],
  ['TESSERA_ARCHIVE_DIR', { TESSERA_ARCHIVE_DIR: '/mnt/archive' }],
  ['TESSERA_ARCHIVE_URL', { TESSERA_ARCHIVE_URL: 's3://archives' }],
  ['TESSERA_ARCHIVE_URL', { TESSERA_ARCHIVE_URL: 'https://s3.example' }],
  ['TESSERA_ARCHIVE_URL', { TESSERA_ARCHIVE_URL: 'http://s3.example/archives' }],
  ['TESSERA_ARCHIVE_URL', { TESSERA_ARCHIVE_URL: 'https://user:pass@s3.example/archives' }],
  ['TESSERA_ARCHIVE_URL', { TESSERA_ARCHIVE_URL: 'https://s3.example/archives?x=1' }],
  ['TESSERA_ARCHIVE_URL', { TESSERA_ARCHIVE_URL: 'https://s3.example/a/%2e%2e%2f' }],
  ['TESSERA_ARCHIVE_URL', { TESSERA_DATABASE_URL: 'postgres://db.internal/tessera' }],
])('a bucket with a wrong %s is refused in one line, without its secret', (name, changes) => {
  const message = catchConfigError({ ...bucket, ...changes });
  expect(message).toContain(name);
  expect(message).not.toMatch(/\n|a-secret-of-the-archive/);
});
