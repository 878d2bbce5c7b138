import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { openLog } from '#platform/telemetry/log.ts';
import { openRateLimits, type RateLimits, type Verdict } from './rate-limits.ts';

const redisServer = 'redis-server';
const hasRedis = spawnSync(redisServer, ['--version']).status === 0;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function startRedis(port: number): Promise<ChildProcess> {
  const redis = spawn(redisServer, [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ]);
  cleanups.push(() => stop(redis));
  await new Promise<void>((resolve) =>
    redis.stdout.on('data', (text: Buffer) => text.includes('Ready to accept') && resolve()),
  );
  return redis;
}

async function stop(redis: ChildProcess): Promise<void> {
  if (redis.exitCode !== null || redis.signalCode !== null) return;
  const exited = once(redis, 'exit');
  redis.kill('SIGKILL');
  await exited;
}

function open(port: number): { limits: RateLimits; log: () => string; advance: (ms: number) => void } {
  const lines: string[] = [];
  let ahead_ms = 0;
  const limits = openRateLimits({
    enabled: true,
    redisUrl: `redis://127.0.0.1:${port}`,
    clock: { now: () => new Date(systemClock.now().getTime() + ahead_ms) },
    log: openLog({ level: 'info', destination: { write: (line) => void lines.push(line) } }),
  });
  cleanups.push(() => limits.close());
  return { limits, log: () => lines.join(''), advance: (ms) => void (ahead_ms += ms) };
}

/** Waits until a process counts in Redis, by subjects that nothing else counts. */
async function connected({ limits, log, advance }: ReturnType<typeof open>): Promise<void> {
  await vi.waitFor(
    async () => {
      advance(1_001);
      const verdict = limits.consume({ role: 'platform_admin', key: 'probe' });
      expect(verdict).toBeInstanceOf(Promise);
      await verdict;
      expect(log().split('are away').length).toBe(log().split('are back').length);
    },
    { timeout: 10_000, interval: 20 },
  );
}

async function consumed(
  limits: RateLimits,
  role: 'auditor' | 'anonymous',
  times: number,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (let time = 0; time < times; time++) verdicts.push(await limits.consume({ role, key: 'somebody' }));
  return verdicts;
}

const allowedOf = (verdicts: readonly Verdict[]) => verdicts.filter(({ allowed }) => allowed).length;

describe.skipIf(!hasRedis)('with Redis (skipped where no redis-server is on the PATH)', () => {
  test('several processes share one count of a subject, and tell the same', async () => {
    const port = await freePort();
    await startRedis(port);
    const [one, other] = [open(port), open(port)];
    await Promise.all([connected(one), connected(other)]);
    expect(allowedOf(await consumed(one.limits, 'auditor', 40))).toBe(40);
    const verdicts = await consumed(other.limits, 'auditor', 25);
    expect(allowedOf(verdicts)).toBe(20);
    expect(verdicts[0]!.headers).toEqual({
      'ratelimit-policy': '"minute";q=60;w=60, "day";q=2000;w=86400',
      ratelimit: expect.stringMatching(
        /^"minute";r=19;t=(60|59|58), "day";r=1959;t=(863\d\d|86400)$/,
      ) as string,
    });
  });

  test('a refused request takes nothing from the day', async () => {
    const port = await freePort();
    await startRedis(port);
    const one = open(port);
    await connected(one);
    const refused = (await consumed(one.limits, 'anonymous', 60)).slice(40);
    expect(allowedOf(refused)).toBe(0);
    for (const { headers } of refused) {
      expect(headers['ratelimit']).toMatch(/^"minute";r=0;t=\d+, "day";r=19960;t=\d+$/);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    }
  });

  test('when Redis dies each process counts for itself, no request fails, and when it is back they share again', async () => {
    const port = await freePort();
    const redis = await startRedis(port);
    const one = open(port);
    await connected(one);
    await stop(redis);
    expect(allowedOf(await consumed(one.limits, 'auditor', 70))).toBe(60);
    expect(one.log().match(/are away/g)).toHaveLength(1);
    await startRedis(port);
    await connected(one);
    expect(one.log().match(/are back/g)).toHaveLength(1);
    expect(allowedOf(await consumed(one.limits, 'auditor', 70))).toBe(60);
  });
});

describe.skipIf(!hasRedis)('with a Redis that hangs (skipped where no redis-server is on the PATH)', () => {
  test('one request waits a quarter of a second, the others not at all, and none fails', async () => {
    const port = await freePort();
    const redis = await startRedis(port);
    const { limits, advance, log } = open(port);
    await connected({ limits, advance, log });
    redis.kill('SIGSTOP');
    const [first] = await consumed(limits, 'auditor', 1);
    expect(first!.headers['ratelimit']).toBe('"minute";r=59;t=60, "day";r=1999;t=86400');
    expect(limits.consume({ role: 'auditor', key: 'somebody' })).not.toBeInstanceOf(Promise);
  });
});

test('without a server at the address every request is counted in memory', async () => {
  const { limits } = open(await freePort());
  const verdicts = await consumed(limits, 'auditor', 70);
  expect(allowedOf(verdicts)).toBe(60);
  expect(verdicts[0]!.headers['ratelimit']).toBe('"minute";r=59;t=60, "day";r=1999;t=86400');
});

test('a server that takes connections and never answers delays and fails no request', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => silent.close(resolve));
  });
  const { limits } = open((silent.address() as AddressInfo).port);
  await vi.waitFor(() => expect(sockets).not.toHaveLength(0), 10_000);
  expect(allowedOf(await consumed(limits, 'auditor', 70))).toBe(60);
});

test('a connection on which the server no longer replies is replaced within seconds', async () => {
  let connections = 0;
  let silent = false;
  const text = 'redis_version:7.0.0';
  const fake = createServer((socket) => {
    connections++;
    socket.on('error', () => undefined);
    // Every command gets the same reply, which is enough for the client to be ready.
    socket.on('data', (commands: Buffer) => {
      const count = commands.toString().match(/^\*/gm)?.length ?? 0;
      if (!silent) socket.write(`$${text.length}\r\n${text}\r\n`.repeat(count));
    });
  }).listen(0, '127.0.0.1');
  await once(fake, 'listening');
  cleanups.push(() => new Promise((resolve) => fake.close(resolve)));
  const { limits } = open((fake.address() as AddressInfo).port);
  await vi.waitFor(
    () => expect(limits.consume({ role: 'member', key: 'ada' })).toBeInstanceOf(Promise),
    10_000,
  );
  expect(connections).toBe(1);
  silent = true;
  await limits.consume({ role: 'member', key: 'ada' });
  await vi.waitFor(() => expect(connections).toBeGreaterThan(1), 10_000);
});
