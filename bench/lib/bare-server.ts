import { createServer } from 'node:http';
import pg from 'pg';

/** What the parent says at the start: where the database is, and the queries by the first letter of the path. */
export type BareSetup = {
  readonly settings: pg.PoolConfig;
  readonly queries: Readonly<Record<string, { readonly name: string; readonly text: string }>>;
  /** What every answer carries besides, so that answers are as long as the service's. */
  readonly headers: Readonly<Record<string, string>>;
  /** What is answered, without the database, under `/-`. */
  readonly constant: string;
};

/**
 * The least server that does the same: node:http, one named prepared statement, JSON.stringify. It knows no callers, limits, log,
 * measurements, validation or refusals, and its headers are constants. `/<query>/<parameter>/<parameter>` answers the row.
 */
process.once('message', ({ settings, queries, headers, constant }: BareSetup) => {
  const pool = new pg.Pool({ ...settings, max: 10 });
  const server = createServer((request, response) => {
    const [, which = '', ...values] = request.url!.split('/');
    const send = (body: string) => {
      response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) });
      response.end(body);
    };
    if (which === '-') return send(constant);
    pool.query({ ...queries[which]!, values }).then(
      ({ rows }) => send(JSON.stringify(rows[0])),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as { port: number }).port));
});
// Waiting to be told is the reason to stay.
process.channel!.ref();
