import type { ChildProcess } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { hash } from '@node-rs/argon2';
import { openDatabase, sql, type Database } from '#platform/database/database.ts';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import type { BareRefreshSetup } from './lib/bare-refresh.ts';
import { receiveDone, receiveMessage, receivePort, requestUsage, startNode } from './lib/child.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import type { HashOrder } from './lib/hash-alone.ts';
import type { LoadSetup } from './lib/load-generator.ts';
import { measureLeast } from './lib/measure.ts';
import { formatMicroseconds, formatMilliseconds, formatRatio, type Benchmark } from './lib/report.ts';
import { startService } from './lib/service.ts';

const password = 'Correct-Horse-7-Battery';
const user_count = 64;

/** Measures the processor time of a login, compared with its password hash, and of a refresh, compared with its statements alone. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const [logins, refreshes, rounds] = quick ? [20, 100, 2] : [60, 500, 40];
  const subjects = await startSubjects(cleaning, { logins, refreshes });
  // Each subject alternates only with its own peer: a second of hashing would empty the processor caches of a refresh.
  const { login, hashAlone } = await measureLeast(
    { login: subjects.login, hashAlone: subjects.hashAlone },
    rounds,
  );
  const { refresh, bareRefresh } = await measureLeast(
    { refresh: subjects.refresh, bareRefresh: subjects.bareRefresh },
    rounds,
  );
  return {
    title: 'Processor time of a login and of a refresh',
    tables: [
      {
        head: ['request', 'Tessera', 'peer', 'time of the peer', 'ratio', 'target'],
        rows: [
          [
            '`POST /auth/login`',
            formatMilliseconds(login / 1000),
            'Argon2id alone',
            formatMilliseconds(hashAlone / 1000),
            formatRatio(login / hashAlone),
            '1.15×',
          ],
          [
            '`POST /auth/refresh`',
            formatMicroseconds(refresh),
            'bare node:http + pg',
            formatMicroseconds(bareRefresh),
            formatRatio(refresh / bareRefresh),
            '1.8×',
          ],
        ],
      },
    ],
    notes: [
      `The time is the user and system time of all threads of the server: the least of ${rounds} slices of ${logins} logins or ${refreshes} refreshes each, which`,
      'alternate with those of the peer, with 16 connections from a third process. Tessera runs as in production: rate limits, throttling of password guesses,',
      'log, metrics. Argon2id alone checks three passwords at a time, as Tessera does. The bare server runs the statements of a refresh in one transaction. It',
      'neither creates nor signs a token.',
    ],
  };
};

type Counts = { readonly logins: number; readonly refreshes: number };
type Subjects = Readonly<Record<'login' | 'hashAlone' | 'refresh' | 'bareRefresh', () => Promise<number>>>;
type Server = { readonly child: ChildProcess; readonly port: number };

async function startSubjects(
  cleaning: AsyncDisposableStack,
  { logins, refreshes }: Counts,
): Promise<Subjects> {
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  // Every request comes from a different address, so that no address exceeds its rate limit.
  const service = await startService(cleaning, dataDir, [], { TESSERA_TRUSTED_PROXIES: '127.0.0.1' });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const database = openDatabase(settings, () => undefined);
  cleaning.defer(() => database.close());
  const users = await insertUsers(database);
  const bare = await startBareServer(cleaning, { settings, statements, body: sample });
  const hasher = startNode(cleaning, ['bench/lib/hash-alone.ts']);
  await receiveMessage(hasher);
  const generator = startNode(cleaning, ['bench/lib/load-generator.ts']);
  const measureLoad = async (server: Server, requests: readonly string[]) => {
    generator.send({ requests: { these: requests } } satisfies LoadSetup);
    await receiveMessage(generator);
    return measureCost(server.child, requests.length, () => {
      generator.send({ subject: 'these', port: server.port, count: requests.length });
      return receiveDone(generator);
    });
  };
  return {
    login: () => measureLoad(service, buildLogins(users, logins)),
    hashAlone: () =>
      measureCost(hasher, logins, () => {
        hasher.send({ checks: logins } satisfies HashOrder);
        return receiveDone(hasher);
      }),
    refresh: async () =>
      measureLoad(service, (await insertTokens(database, users, refreshes)).map(buildRefresh)),
    bareRefresh: async () =>
      measureLoad(bare, (await insertTokens(database, users, refreshes)).map(buildBareRefresh)),
  };
}

/** Measures the microseconds of processor time of one of `count` requests. */
async function measureCost(server: ChildProcess, count: number, work: () => Promise<void>): Promise<number> {
  const before = await requestUsage(server);
  await work();
  const after = await requestUsage(server);
  return (after.cpu_us - before.cpu_us) / count;
}

/** The service's own statements. */
const statements: BareRefreshSetup['statements'] = {
  lock: {
    name: 'lock',
    text: `select
      session_id, refresh_tokens.used_at, refresh_tokens.expires_at, revoked_at, suspended_at,
      users.id, email, role, coalesce(member_id, org_id) as linked_entity_id, users.created_at, last_login
    from refresh_tokens join sessions on sessions.id = session_id join users on users.id = user_id
    where token_hash = $1 for no key update of refresh_tokens, sessions`,
  },
  use: { name: 'use', text: 'update refresh_tokens set used_at = $1 where token_hash = $2' },
  insert: {
    name: 'insert',
    text: 'insert into refresh_tokens (token_hash, session_id, issued_at, expires_at) values ($1, $2, $3, $4)',
  },
  extend: { name: 'extend', text: 'update sessions set last_used_at = $1, expires_at = $2 where id = $3' },
};

/** As long as the reply to a refresh. */
const sample = JSON.stringify({ access_token: 'x'.repeat(580), token_type: 'Bearer', expires_in: 21_600 });

async function startBareServer(cleaning: AsyncDisposableStack, setup: BareRefreshSetup): Promise<Server> {
  const child = startNode(cleaning, ['bench/lib/bare-refresh.ts']);
  child.send(setup);
  return { child, port: await receivePort(child) };
}

type User = { readonly id: string; readonly email: string };

async function insertUsers(database: Database): Promise<readonly User[]> {
  const password_hash = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const users = Array.from({ length: user_count }, (_, index) => ({
    id: randomUUID(),
    email: `bench${index}@example.org`,
  }));
  await database.run(sql`
    insert into users (id, email, password_hash, role, created_at, last_login)
    select id, email, ${password_hash}, 'platform_admin', now(), now()
    from unnest(${users.map(({ id }) => id)}::uuid[], ${users.map(({ email }) => email)}::text[]) as given (id, email)`);
  return users;
}

/** Inserts unused refresh tokens, each of a different session. */
async function insertTokens(
  database: Database,
  users: readonly User[],
  count: number,
): Promise<readonly string[]> {
  const tokens = Array.from({ length: count }, (_, index) => ({
    value: randomBytes(32).toString('base64url'),
    session_id: randomUUID(),
    user_id: users[index % users.length]!.id,
  }));
  const sessions = tokens.map(({ session_id }) => session_id);
  await database.run(sql`
    insert into sessions (id, user_id, created_at, last_used_at, expires_at, address)
    select id, user_id, now(), now(), now() + interval '30 days', '127.0.0.1'
    from unnest(${sessions}::uuid[], ${tokens.map(({ user_id }) => user_id)}::uuid[]) as given (id, user_id)`);
  await database.run(sql`
    insert into refresh_tokens (token_hash, session_id, issued_at, expires_at)
    select token_hash, session_id, now(), now() + interval '30 days'
    from unnest(${tokens.map(({ value }) => hashToken(value))}::bytea[], ${sessions}::uuid[]) as given (token_hash, session_id)`);
  return tokens.map(({ value }) => value);
}

function hashToken(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

function buildLogins(users: readonly User[], count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const body = JSON.stringify({ email: users[index % users.length]!.email, password });
    return buildPost(
      '/api/v1/auth/login',
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n`,
      body,
    );
  });
}

function buildRefresh(value: string): string {
  return buildPost('/api/v1/auth/refresh', `cookie: refresh_token=${value}\r\ncontent-length: 0\r\n`, '');
}

function buildBareRefresh(value: string): string {
  const next = randomBytes(32).toString('hex');
  return buildPost(`/${hashToken(value).toString('hex')}/${next}`, 'content-length: 0\r\n', '');
}

function buildPost(target: string, headers: string, body: string): string {
  const [one, two, three] = randomBytes(3);
  return `POST ${target} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 10.${one}.${two}.${three}\r\n${headers}\r\n${body}`;
}
