import type { OriginHandler } from '#platform/http/origin-routes.ts';

const json = { 'content-type': 'application/json; charset=utf-8' };

/** Whether the process replies at all. */
export const serveHealth: OriginHandler = () => ({ headers: json, content: { status: 'ok' } });

/** Whether the process can do its work: the state of what it depends on. */
export const serveReadiness: OriginHandler = async ({ database }) => {
  const isUp = await database.isReachable();
  if (isUp && !(await database.hasStorage().catch(() => false)))
    return { status: 503, headers: json, content: { status: 'unavailable', database: 'full' } };
  return isUp
    ? { headers: json, content: { status: 'ok', database: 'up' } }
    : { status: 503, headers: json, content: { status: 'unavailable', database: 'down' } };
};

/** The metrics of the process in the text format of Prometheus. */
export const serveMetrics: OriginHandler = async ({ metrics }) => ({
  headers: { 'content-type': metrics.contentType },
  content: await metrics.formatText(),
});
