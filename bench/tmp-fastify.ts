import fastify from 'fastify';
import pg from 'pg';
process.once('message', ({ settings, queries, mode }: any) => {
  const pool = new pg.Pool({ ...settings, max: 10 });
  const app = fastify({ logger: false });
  if (mode >= 2)
    app.addHook('onRequest', (req: any, reply: any, done: any) => {
      reply.headers({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
        'access-control-expose-headers':
          'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Idempotent-Replayed',
        'x-request-id': 'abcdefgh-1234-1234-1234-123456789012',
        'ratelimit-policy': '"minute";q=120;w=60, "day";q=10000;w=86400',
        ratelimit: '"minute";r=0;t=16, "day";r=9880;t=86356',
      });
      done();
    });
  app.get('/me/:id', async (req: any, reply: any) => {
    const { rows } = await pool.query({ ...queries.me, values: [req.params.id] });
    return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(rows[0]));
  });
  app.listen({ port: 0, host: '127.0.0.1' }).then(() => process.send!((app.server.address() as any).port));
});
process.channel!.ref(); process.on('SIGTERM', () => process.exit(0));
