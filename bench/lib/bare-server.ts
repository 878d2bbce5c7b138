import { createServer } from 'node:http';
import pg from 'pg';
import { sendToParent, waitForMessages } from './parent.ts';
import { getPort } from './ports.ts';

/** The parent's first message. */
export type BareSetup = {
  readonly settings: pg.PoolConfig;
  /** The queries by the first part of the path. */
  readonly queries: Readonly<Record<string, { readonly name: string; readonly text: string }>>;
  /** The headers of every reply, so that replies are as long as those of the service. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body of the reply to `/-`, which does not use the database. */
  readonly constant: string;
};

/**
 * The simplest server that returns the same rows: node:http, one named prepared statement, JSON.stringify. It has no authentication,
 * rate limits, log, metrics, validation or refusals, and its headers are constants. `/<query>/<parameter>/<parameter>` returns the row.
 */
process.once('message', ({ settings, queries, headers, constant }: BareSetup) => {
  const pool = new pg.Pool({ ...settings, max: 10 });
  const server = createServer((request, response) => {
    const [, name = '', ...values] = request.url!.split('/');
    const send = (body: string) => {
      response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) });
      response.end(body);
    };
    if (name === '-') return send(constant);
    pool.query({ ...queries[name]!, values }).then(
      ({ rows }) => send(JSON.stringify(rows[0])),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1', () => sendToParent(getPort(server)));
});
waitForMessages();
