import { createServer } from 'node:http';
import pg from 'pg';

/** What the parent says at the start: where the database is, and the service's own statements of a refresh. */
export type BareRefreshSetup = {
  readonly settings: pg.PoolConfig;
  readonly statements: Readonly<
    Record<'lock' | 'use' | 'insert' | 'keep', { readonly name: string; readonly text: string }>
  >;
  /** What is answered. */
  readonly body: string;
};

/**
 * The least server that does a refresh's statements: node:http and pg, one transaction. It makes no token, signs nothing and decides
 * nothing. `/<hash>/<next hash>` exchanges the one for the other.
 */
process.once('message', ({ settings, statements, body }: BareRefreshSetup) => {
  const pool = new pg.Pool({ ...settings, max: 10 });
  const refresh = async (hash: Buffer, next: Buffer) => {
    const client = await pool.connect();
    try {
      await client.query('begin isolation level read committed');
      const { rows } = await client.query<{ session_id: string }>({ ...statements.lock, values: [hash] });
      const now = new Date();
      const expires = new Date(now.getTime() + 30 * 86_400_000);
      const { session_id } = rows[0]!;
      await client.query({ ...statements.use, values: [now, hash] });
      await client.query({ ...statements.insert, values: [next, session_id, now, expires] });
      await client.query({ ...statements.keep, values: [now, expires, session_id] });
      await client.query('commit');
    } finally {
      client.release();
    }
  };
  const server = createServer((request, response) => {
    const [, hash = '', next = ''] = request.url!.split('/');
    const send = (status: number, text: string) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
        .end(text);
    refresh(Buffer.from(hash, 'hex'), Buffer.from(next, 'hex')).then(
      () => send(200, body),
      (error: unknown) => send(500, String(error)),
    );
  });
  // Between its slices are those of the others; Node would close the connections after five seconds.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as { port: number }).port));
});
// Waiting to be told is the reason to stay.
process.channel!.ref();
