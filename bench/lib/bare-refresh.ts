import { createServer } from 'node:http';
import pg from 'pg';
import { sendToParent, waitForMessages } from './parent.ts';
import { getPort } from './ports.ts';

/** The parent's first message: the settings of the database, and the service's own statements of a refresh. */
export type BareRefreshSetup = {
  readonly settings: pg.PoolConfig;
  readonly statements: Readonly<
    Record<'lock' | 'use' | 'insert' | 'extend', { readonly name: string; readonly text: string }>
  >;
  /** The body of every reply. */
  readonly body: string;
};

/**
 * The simplest server that runs the statements of a refresh: node:http and pg, one transaction. It creates and signs no token and checks
 * nothing. `/<hash>/<next hash>` exchanges the first hash for the second.
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
      await client.query({ ...statements.extend, values: [now, expires, session_id] });
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
  // Its slices alternate with those of other subjects, and Node would close idle connections after five seconds.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1', () => sendToParent(getPort(server)));
});
waitForMessages();
