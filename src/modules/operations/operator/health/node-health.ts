import { readDatabaseState, type Readiness } from '#platform/http/health.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';
import { describeBuild, type Build } from '#platform/telemetry/build.ts';
import type { PoolState } from '#platform/telemetry/metric-sources.ts';

/** What a process says about itself and about what it depends on. */
export type NodeHealth = {
  readonly build: Build;
  readonly uptime_seconds: number;
  readonly memory_bytes: number;
  readonly database: Readiness['database'];
  readonly pool: PoolState & { readonly max: number };
};

/** Returns the function that describes the process of a running service. The build does not change, and is read once. */
export const getHealthReader = instanceMemory((platform) => {
  let build: Promise<Build> | undefined;
  return async () => {
    build ??= describeBuild(platform.config.commit);
    return describeNode(platform, await build);
  };
});

async function describeNode(platform: Platform, build: Build): Promise<NodeHealth> {
  const database = await readDatabaseState(platform);
  return {
    build,
    uptime_seconds: Math.floor(process.uptime()),
    memory_bytes: process.memoryUsage.rss(),
    database,
    pool: { ...platform.database.countConnections(), max: platform.config.databasePoolSize },
  };
}
