import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { openLog } from '#platform/telemetry/log.ts';
import { findFreePort } from '#test/free-port.ts';
import { openRateLimits, type RateLimits, type Verdict } from './rate-limits.ts';
import { limitsByRole } from './rate-windows.ts';

const redisServer = 'redis-server';
const hasRedis = spawnSync(redisServer, ['--version']).status === 0;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

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
  cleanups.push(() => killRedis(redis));
  await new Promise<void>((resolve) =>
    redis.stdout.on('data', (text: Buffer) => text.includes('Ready to accept') && resolve()),
  );
  return redis;
}

async function killRedis(redis: ChildProcess): Promise<void> {
  if (redis.exitCode !== null || redis.signalCode !== null) return;
  const exited = once(redis, 'exit');
  redis.kill('SIGKILL');
  await exited;
}

function openLimits(port: number): { limits: RateLimits; log: () => string; advance: (ms: number) => void } {
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

/** Waits until the limits count in Redis. The subject of its requests is used by no other request. */
async function waitForRedis({ limits, log, advance }: ReturnType<typeof openLimits>): Promise<void> {
  const areCountedThere = async () => {
    advance(1_001);
    const verdict = limits.consume({ limit: limitsByRole.platform_admin, key: 'probe' });
    await verdict;
    const isKnown = log().split('are unavailable').length === log().split('are available again').length;
    return verdict instanceof Promise && isKnown;
  };
  await expect.poll(areCountedThere, { interval: 20 }).toBe(true);
}

async function consumeTimes(
  limits: RateLimits,
  role: 'auditor' | 'anonymous',
  times: number,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (let time = 0; time < times; time++)
    verdicts.push(await limits.consume({ limit: limitsByRole[role], key: 'ada' }));
  return verdicts;
}

const countAllowed = (verdicts: readonly Verdict[]) => verdicts.filter(({ allowed }) => allowed).length;

describe.skipIf(!hasRedis)('with Redis (skipped if redis-server is not on the PATH)', () => {
  test('several processes share the count of a subject', async () => {
    const port = await findFreePort();
    await startRedis(port);
    const [one, other] = [openLimits(port), openLimits(port)];
    await Promise.all([waitForRedis(one), waitForRedis(other)]);
    expect(countAllowed(await consumeTimes(one.limits, 'auditor', 40))).toBe(40);
    const verdicts = await consumeTimes(other.limits, 'auditor', 25);
    expect(countAllowed(verdicts)).toBe(20);
    expect(verdicts[0]!.headers).toEqual({
      'ratelimit-policy': '"minute";q=60;w=60, "day";q=2000;w=86400',
      ratelimit: expect.stringMatching(
        /^"minute";r=19;t=(60|[1-5]?\d), "day";r=1959;t=(863\d\d|86400)$/,
      ) as string,
    });
  });

  test('a refused request does not count against the day', async () => {
    const port = await findFreePort();
    await startRedis(port);
    const one = openLimits(port);
    await waitForRedis(one);
    const refused = (await consumeTimes(one.limits, 'anonymous', 60)).slice(40);
    expect(countAllowed(refused)).toBe(0);
    for (const { headers } of refused) {
      expect(headers['ratelimit']).toMatch(/^"minute";r=0;t=\d+, "day";r=19960;t=\d+$/);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    }
  });

  test('when Redis dies, each process counts for itself and no request fails; when it is back, they share the count again', async () => {
    const port = await findFreePort();
    const redis = await startRedis(port);
    const one = openLimits(port);
    await waitForRedis(one);
    await killRedis(redis);
    expect(countAllowed(await consumeTimes(one.limits, 'auditor', 70))).toBe(60);
    expect(one.log().match(/are unavailable/g)).toHaveLength(1);
    await startRedis(port);
    await waitForRedis(one);
    expect(one.log().match(/are available again/g)).toHaveLength(1);
    expect(countAllowed(await consumeTimes(one.limits, 'auditor', 70))).toBe(60);
  });
});

describe.skipIf(!hasRedis)('with a Redis that hangs (skipped if redis-server is not on the PATH)', () => {
  test('one request waits for the timeout, the next ones do not wait, and none fails', async () => {
    const port = await findFreePort();
    const redis = await startRedis(port);
    const { limits, advance, log } = openLimits(port);
    await waitForRedis({ limits, advance, log });
    redis.kill('SIGSTOP');
    const [first] = await consumeTimes(limits, 'auditor', 1);
    expect(first!.headers['ratelimit']).toBe('"minute";r=59;t=60, "day";r=1999;t=86400');
    expect(limits.consume({ limit: limitsByRole.auditor, key: 'ada' })).not.toBeInstanceOf(Promise);
  });
});

test('counts in memory if no server is at the address', async () => {
  const { limits } = openLimits(await findFreePort());
  const verdicts = await consumeTimes(limits, 'auditor', 70);
  expect(countAllowed(verdicts)).toBe(60);
  expect(verdicts[0]!.headers['ratelimit']).toBe('"minute";r=59;t=60, "day";r=1999;t=86400');
});

test('a server that accepts connections and never replies neither delays nor fails a request', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => silent.close(resolve));
  });
  const { limits } = openLimits((silent.address() as AddressInfo).port);
  await expect.poll(() => sockets.length).toBeGreaterThan(0);
  expect(countAllowed(await consumeTimes(limits, 'auditor', 70))).toBe(60);
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
  const { limits } = openLimits((fake.address() as AddressInfo).port);
  await expect
    .poll(() => limits.consume({ limit: limitsByRole.member, key: 'ada' }) instanceof Promise)
    .toBe(true);
  expect(connections).toBe(1);
  silent = true;
  await limits.consume({ limit: limitsByRole.member, key: 'ada' });
  await expect.poll(() => connections).toBeGreaterThan(1);
});
