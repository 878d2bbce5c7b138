import type { ServerState } from '#platform/database/probe.ts';
import type { OriginHandler } from '#platform/http/origin-routes.ts';
import type { Platform } from '#platform/platform.ts';

const json = { 'content-type': 'application/json; charset=utf-8' };

/** Whether the process replies at all. */
export const serveHealth: OriginHandler = () => ({ headers: json, content: { status: 'ok' } });

/** How ready a part of the process is. `building`: not yet usable. `behind`: usable, but it has not followed the changes for too long. */
export type PartState = 'building' | 'behind' | 'ready';

/** The parts that only background tasks use, by name. */
export type PartStates = Readonly<Record<string, PartState>>;

type DatabaseState = ServerState | 'full';

/** What the process depends on. */
export type Readiness = {
  readonly isReady: boolean;
  readonly database: DatabaseState;
  readonly parts: PartStates;
};

type ReadParts = (platform: Platform) => PartStates;

/**
 * Checks whether the process can do its work. Requests do not use the parts: while one is being built, or cannot follow the changes, tasks wait
 * in the queue. So only a process without requests is not ready then.
 */
export async function checkReadiness(platform: Platform, readParts: ReadParts): Promise<Readiness> {
  const database = await readDatabaseState(platform);
  const parts = readParts(platform);
  const canWork = platform.config.serves.api || Object.values(parts).every((state) => state === 'ready');
  return { isReady: database === 'up' && canWork, database, parts };
}

/** Reads whether the database can be read and written. */
export async function readDatabaseState({ database }: Platform): Promise<DatabaseState> {
  const state = await database.readState();
  if (state !== 'up') return state;
  return (await database.hasStorage().catch(() => false)) ? 'up' : 'full';
}

/** Builds the handler that says whether the process can do its work, with the state of what it depends on. */
export function buildReadinessHandler(readParts: ReadParts): OriginHandler {
  return async (platform) => {
    const { isReady, database, parts } = await checkReadiness(platform, readParts);
    const content = { status: isReady ? 'ok' : 'unavailable', database, ...parts };
    return { ...(!isReady && { status: 503 }), headers: json, content };
  };
}

/** The metrics of the process in the text format of Prometheus. */
export const serveMetrics: OriginHandler = async ({ metrics }) => ({
  headers: { 'content-type': metrics.contentType },
  content: await metrics.formatText(),
});
