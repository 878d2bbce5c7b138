import fastify, { type FastifyInstance } from 'fastify';
import { sql } from '#platform/database/database.ts';
import type { Metrics } from '#platform/telemetry/metrics.ts';
import type { Platform } from '#platform/platform.ts';

/** The operator's own port: `/metrics` for Prometheus, `/health/live`, and `/health/ready` with the state of what we depend on. */
export function openInternalServer({ database }: Platform, metrics: Metrics): FastifyInstance {
  const server = fastify({ logger: false });
  server.get('/metrics', async (_, reply) =>
    reply.type(metrics.contentType).send(await metrics.formatText()),
  );
  server.get('/health/live', () => ({ status: 'ok' }));
  server.get('/health/ready', async (_, reply) => {
    const up = await database.find(sql`select 1`).then(
      () => true,
      () => false,
    );
    return reply
      .code(up ? 200 : 503)
      .send({ status: up ? 'ok' : 'unavailable', database: up ? 'up' : 'down' });
  });
  return server;
}
