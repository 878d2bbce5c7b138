import type { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock } from '#platform/clock.ts';
import { windowsByRole, type WindowUsage, type Subject } from '#platform/limits/rate-windows.ts';

/** What all processes have counted together. */
export type SharedCounters = {
  /** Counts a request in every window of its subject. Rejects when Redis is away or slower than 250 ms. */
  consume(subject: Subject): Promise<{ readonly allowed: boolean; readonly spent: readonly WindowUsage[] }>;
  close(): void;
};

const command_timeout_ms = 250;

/**
 * Opens counters in Redis; neither client nor limiter is loaded by a process that has no Redis. The windows run by the clock of Redis.
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
    // A request that finds no connection is counted in memory at once, not queued until there is one.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (tried) => Math.min(tried * 100, 2_000),
  });
  // Unheard, it would end the process; the next count meets the same loss and reports it.
  client.on('error', () => {});
  const limitersByRole = new Map(
    Object.entries(windowsByRole).map(([role, windows]) => [
      role,
      windows.map(
        ({ name, quota, seconds }) =>
          new RateLimiterRedis({
            storeClient: client,
            keyPrefix: `tessera:limit:${role}:${name}`,
            points: quota,
            duration: seconds,
            rejectIfRedisNotReady: true,
          }),
      ),
    ]),
  );
  return {
    consume: ({ role, key }) => consumeAll(limitersByRole.get(role)!, key, clock),
    close: () => client.disconnect(),
  };
}

/** Both windows are asked in one round trip; where one refuses, the other gets its request back. */
async function consumeAll(
  limiters: readonly RateLimiterRedis[],
  key: string,
  clock: Clock,
): Promise<{ allowed: boolean; spent: WindowUsage[] }> {
  const results = await Promise.all(limiters.map((limiter) => consumePoint(limiter, key)));
  const refuses = results.map(({ consumedPoints }, index) => consumedPoints > limiters[index]!.points);
  const allowed = !refuses.includes(true);
  const given = limiters.filter((_, index) => !allowed && !refuses[index]);
  await Promise.all(given.map((limiter) => limiter.reward(key)));
  const now_ms = clock.now().getTime();
  const spent = results.map(({ consumedPoints, msBeforeNext }, index) => ({
    used: allowed || refuses[index] ? consumedPoints : consumedPoints - 1,
    ends_ms: now_ms + msBeforeNext,
  }));
  return { allowed, spent };
}

/** The limiter rejects with its result where the quota is used up, and with an Error where it could not count. */
async function consumePoint(limiter: RateLimiterRedis, key: string): Promise<RateLimiterRes> {
  return limiter.consume(key).catch((refused: unknown) => {
    if (refused instanceof Error) throw refused;
    return refused as RateLimiterRes;
  });
}
