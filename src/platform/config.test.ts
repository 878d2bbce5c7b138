import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const key = Buffer.alloc(32, 7).toString('base64');

/** The least that production accepts. */
const production = {
  TESSERA_ENV: 'production',
  TESSERA_MASTER_KEY: key,
  TESSERA_PUBLIC_URL: 'https://tessera.example',
  TESSERA_PAYMENT_RAIL: 'transfer',
};

function refusal(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
}

test('an empty environment gives the defaults that the operator reads in the README', () => {
  expect(readConfig({})).toEqual({
    production: false,
    host: '127.0.0.1',
    port: 8420,
    internalPort: 8421,
    publicUrl: 'http://localhost:8420',
    trustedProxies: false,
    dataDir: path.resolve('.tessera'),
    databaseUrl: undefined,
    redisUrl: undefined,
    masterKey: undefined,
    smtpUrl: undefined,
    admin: undefined,
    token: { algorithm: 'ES256', access_seconds: 21_600, refresh_days: 30 },
    rateLimits: true,
    outboundPrivate: false,
    vcApi: false,
    retention_seconds: 2_592_000,
    serves: { api: true, worker: true },
  });
});

test('an empty variable is an unset one, and what is not ours is not looked at', () => {
  expect(readConfig({ TESSERA_PORT: '', TESSERA_MASTER_KEY: '', PATH: '/bin', tessera_port: 'x' })).toEqual(
    readConfig({}),
  );
});

test('the public URL follows the port, and port 0 lets the system choose', () => {
  expect(readConfig({ TESSERA_PORT: '9000' }).publicUrl).toBe('http://localhost:9000');
  expect(readConfig({ TESSERA_PORT: '0', TESSERA_INTERNAL_PORT: '0' })).toMatchObject({
    port: 0,
    internalPort: 0,
  });
});

test.each([
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
  ['TESSERA_TRUSTED_PROXIES', 'proxy.internal'],
  ['TESSERA_TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TESSERA_TRUSTED_PROXIES', '10.0.0.1,'],
  ['TESSERA_TRUSTED_PROXIES', 'dead'],
  ['TESSERA_TRUSTED_PROXIES', '::1/129'],
  ['TESSERA_DATABASE_URL', 'mysql://localhost/tessera'],
  ['TESSERA_DATABASE_URL', 'postgres://host:port/tessera'],
  ['TESSERA_REDIS_URL', 'localhost:6379'],
  ['TESSERA_MASTER_KEY', 'short'],
  ['TESSERA_MASTER_KEY', Buffer.alloc(31).toString('base64')],
  ['TESSERA_MASTER_KEY', Buffer.alloc(33).toString('base64')],
  ['TESSERA_SMTP_URL', 'mail.example'],
  ['TESSERA_PAYMENT_RAIL', 'cash'],
  ['TESSERA_PAYMENT_RAIL', 'mock,'],
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
  ['TESSERA_VC_API', 'yes'],
  ['TESSERA_MCP_FIXTURES', '1'],
  ['TESSERA_RETENTION_SECONDS', 'a month'],
  ['TESSERA_ROLES', 'api,web'],
  ['TESSERA_PROT', '8420'],
])('%s=%s is refused in one line that names the variable', (name, value) => {
  const line = refusal({ [name]: value });
  expect(line).toContain(name);
  expect(line).not.toContain('\n');
});

test('whatever a variable holds, it is accepted or refused by its name, and a secret is not repeated', () => {
  const name = fc.constantFrom(
    'TESSERA_PORT',
    'TESSERA_MASTER_KEY',
    'TESSERA_PUBLIC_URL',
    'TESSERA_TRUSTED_PROXIES',
    'TESSERA_DATABASE_URL',
  );
  fc.assert(
    fc.property(name, fc.string({ minLength: 12 }), (name, value) => {
      const line = refusal({ [name]: value });
      const secret = name === 'TESSERA_MASTER_KEY' || name === 'TESSERA_DATABASE_URL';
      expect(line === 'accepted' || line.includes(name)).toBe(true);
      expect(secret && line.includes(value)).toBe(false);
    }),
  );
});

test('the first administrator needs an address and a password', () => {
  const admin = { TESSERA_ADMIN_EMAIL: 'root@example.org', TESSERA_ADMIN_PASSWORD: 'Correct-Horse-7' };
  expect(readConfig(admin).admin).toEqual({ email: 'root@example.org', password: 'Correct-Horse-7' });
  expect(refusal({ TESSERA_ADMIN_EMAIL: admin.TESSERA_ADMIN_EMAIL })).toMatch(/TESSERA_ADMIN_PASSWORD/);
  expect(refusal({ TESSERA_ADMIN_PASSWORD: admin.TESSERA_ADMIN_PASSWORD })).toMatch(/TESSERA_ADMIN_EMAIL/);
});

test('proxies are addresses and networks', () => {
  const given = { TESSERA_TRUSTED_PROXIES: '10.0.0.0/8,192.0.2.1,2001:db8::/32' };
  expect(readConfig(given).trustedProxies).toEqual(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']);
});

test('a process serves the API, works in the background, or both', () => {
  expect(readConfig({ TESSERA_ROLES: 'api' }).serves).toEqual({ api: true, worker: false });
  expect(readConfig({ TESSERA_ROLES: 'worker' }).serves).toEqual({ api: false, worker: true });
  expect(readConfig({ TESSERA_ROLES: 'worker,api' }).serves).toEqual({ api: true, worker: true });
});

test('production starts with a master key, an https address and a real payment rail', () => {
  expect(readConfig(production)).toMatchObject({ production: true, masterKey: Buffer.alloc(32, 7) });
});

test.each([
  ['TESSERA_MASTER_KEY', ''],
  ['TESSERA_PUBLIC_URL', ''],
  ['TESSERA_PUBLIC_URL', 'http://tessera.example'],
  ['TESSERA_PAYMENT_RAIL', ''],
  ['TESSERA_PAYMENT_RAIL', 'transfer,mock'],
  ['TESSERA_RATE_LIMITS', 'off'],
  ['TESSERA_VC_API', 'on'],
  ['TESSERA_MCP_FIXTURES', 'on'],
  ['TESSERA_WEBHOOK_ALLOW_PRIVATE', 'true'],
])('production refuses %s=%s', (name, value) => {
  expect(refusal({ ...production, [name]: value })).toMatch(new RegExp(`^${name} .* production$`));
});
