import type { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock } from '#platform/clock.ts';
import type { Limit, Subject, WindowUsage } from '#platform/limits/rate-windows.ts';

/** Counters that all processes share. */
export type SharedCounters = {
  /** Counts a request in every window of its subject. Rejects if Redis is unavailable or slower than 250 ms. */
  consume(subject: Subject): Promise<{ readonly allowed: boolean; readonly spent: readonly WindowUsage[] }>;
  close(): void;
};

const command_timeout_ms = 250;

/**
 * Opens counters in Redis. A process without Redis loads neither the client nor the limiter. The windows follow the clock of Redis.
 */
export async function openSharedCounters(redisUrl: string, clock: Clock): Promise<SharedCounters> {
  const [{ Redis }, { RateLimiterRedis }] = await Promise.all([
    import('ioredis'),
    import('rate-limiter-flexible'),
  ]);
  const client = new Redis(redisUrl, {
    connectTimeout: 2_000,
    commandTimeout: command_timeout_ms,
    // A host that vanished closes nothing. Without these limits its connection would be used for a quarter of an hour.
    socketTimeout: 2_000,
    keepAlive: 5_000,
    // Without a connection, a request is counted in memory at once and not queued.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempts) => Math.min(attempts * 100, 2_000),
  });
  // Without a listener, a lost connection would end the process. The next count reports the same loss.
  client.on('error', () => {});
  const limitersByName = new Map<string, readonly RateLimiterRedis[]>();
  const openLimiters = ({ name: limit, windows }: Limit) =>
    windows.map(
      ({ name, quota, seconds }) =>
        new RateLimiterRedis({
          storeClient: client,
          keyPrefix: `tessera:limit:${limit}:${name}`,
          points: quota,
          duration: seconds,
          rejectIfRedisNotReady: true,
        }),
    );
  const findOrOpenLimiters = (limit: Limit) => {
    const known = limitersByName.get(limit.name);
    if (known) return known;
    const opened = openLimiters(limit);
    limitersByName.set(limit.name, opened);
    return opened;
  };
  return {
    consume: ({ limit, key }) => consumeAll(findOrOpenLimiters(limit), key, clock),
    close: () => client.disconnect(),
  };
}

/** Counts in both windows in one round trip. If one of them refuses, the request is removed from the other one. */
async function consumeAll(
  limiters: readonly RateLimiterRedis[],
  key: string,
  clock: Clock,
): Promise<{ allowed: boolean; spent: WindowUsage[] }> {
  const results = await Promise.all(limiters.map((limiter) => consumePoint(limiter, key)));
  const refuses = results.map(({ consumedPoints }, index) => consumedPoints > limiters[index]!.points);
  const allowed = !refuses.includes(true);
  const countedLimiters = limiters.filter((_, index) => !allowed && !refuses[index]);
  await Promise.all(countedLimiters.map((limiter) => limiter.reward(key)));
  const now_ms = clock.now().getTime();
  const spent = results.map(({ consumedPoints, msBeforeNext }, index) => ({
    used: allowed || refuses[index] ? consumedPoints : consumedPoints - 1,
    ends_ms: now_ms + msBeforeNext,
  }));
  return { allowed, spent };
}

/** Counts in one window. The limiter rejects with its result if the quota is used up, and with an Error if it could not count. */
async function consumePoint(limiter: RateLimiterRedis, key: string): Promise<RateLimiterRes> {
  return limiter.consume(key).catch((refused: unknown) => {
    if (refused instanceof Error) throw refused;
    return refused as RateLimiterRes;
  });
}
