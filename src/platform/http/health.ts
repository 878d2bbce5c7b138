import type { ServerState } from '#platform/database/probe.ts';
import type { OriginHandler } from '#platform/http/origin-routes.ts';
import type { Platform } from '#platform/platform.ts';
import type { IndexState } from '#platform/telemetry/metric-sources.ts';

const json = { 'content-type': 'application/json; charset=utf-8' };

/** Whether the process replies at all. */
export const serveHealth: OriginHandler = () => ({ headers: json, content: { status: 'ok' } });

/** What the process depends on. `matching` is missing if the process does not match. */
export type Readiness = {
  readonly isReady: boolean;
  readonly database: ServerState | 'full';
  readonly matching?: IndexState['readiness'];
};

/** Reads the state of the match index. Undefined if the process does not match. */
export type ReadIndex = (platform: Platform) => IndexState | undefined;

/**
 * Checks whether the process can do its work. Requests do not use the match index: while it is being built, or cannot follow the changes, tasks
 * wait in the queue. So only a process without requests is not ready then.
 */
export async function checkReadiness(platform: Platform, readIndex: ReadIndex): Promise<Readiness> {
  const database = await checkDatabase(platform);
  const matching = readIndex(platform)?.readiness;
  const canMatch = matching === undefined || matching === 'ready' || platform.config.serves.api;
  return { isReady: database === 'up' && canMatch, database, ...(matching && { matching }) };
}

async function checkDatabase({ database }: Platform): Promise<Readiness['database']> {
  const state = await database.readState();
  if (state !== 'up') return state;
  return (await database.hasStorage().catch(() => false)) ? 'up' : 'full';
}

/** Builds the handler that says whether the process can do its work, with the state of what it depends on. */
export function buildReadinessHandler(readIndex: ReadIndex): OriginHandler {
  return async (platform) => {
    const { isReady, ...parts } = await checkReadiness(platform, readIndex);
    const content = { status: isReady ? 'ok' : 'unavailable', ...parts };
    return { ...(!isReady && { status: 503 }), headers: json, content };
  };
}

/** The metrics of the process in the text format of Prometheus. */
export const serveMetrics: OriginHandler = async ({ metrics }) => ({
  headers: { 'content-type': metrics.contentType },
  content: await metrics.formatText(),
});
