import type pg from 'pg';
import { openClient } from '#platform/database/connections.ts';
import { isOwnSession } from '#platform/database/session.ts';

/** The service cannot work with the server, or with what is in front of it. The message says in one line what to change. */
export class UnsuitableServerError extends Error {}

const major_min = 15;

/** With which the service stores and compares all text. */
const encoding_needed = 'UTF8';

type ServerFacts = { readonly version: string; readonly encoding: string; readonly pid: number };

/**
 * Checks what no setting of a session can provide: the version of the server, the encoding of the database, and that a session belongs to one client.
 *
 * @param settings Those of the client, for further clients.
 * @throws UnsuitableServerError
 */
export async function requireSuitableServer(client: pg.Client, settings: pg.ClientConfig): Promise<void> {
  const { rows } = await client.query<ServerFacts>(`
    select current_setting('server_version') as version, current_setting('server_encoding') as encoding, pg_backend_pid() as pid`);
  const { version, encoding, pid } = rows[0]!;
  if (Number.parseInt(version, 10) < major_min)
    throw new UnsuitableServerError(`PostgreSQL ${version} is too old: ${major_min} or newer is needed`);
  if (encoding !== encoding_needed)
    throw new UnsuitableServerError(
      `the database has the encoding ${encoding}: create one with "encoding '${encoding_needed}' template template0"`,
    );
  // A pooler invents the number of the process by which a client could cancel its statements.
  const announced = (client as unknown as { readonly processID: number | null }).processID;
  if (pid !== announced) await requireOwnSessions(client, settings);
}

const others_max = 4;
/** How long a pooler may take to give a connection. */
const connection_ms_max = 10_000;

/**
 * Requires that a pooler gives each client a session of its own. Other clients open sessions and hold them, which takes ours over or moves our client
 * to another one if sessions are shared.
 */
async function requireOwnSessions(client: pg.Client, settings: pg.ClientConfig): Promise<void> {
  await using others = new AsyncDisposableStack();
  for (let count = 0; count < others_max; count++) {
    const other = await openClient({ ...settings, connectionTimeoutMillis: connection_ms_max }).catch(
      (cause: unknown) => {
        const reason =
          'a connection pooler in front of the database gives no further connection: let it open more, or leave it out';
        throw new UnsuitableServerError(reason, { cause });
      },
    );
    others.defer(() => other.end());
    await other.query('begin');
    // Without a reply, the other client holds the only session.
    if (!(await isOwnSession(client).catch(() => false)))
      throw new UnsuitableServerError(
        'a connection pooler in front of the database shares sessions between clients (transaction or statement mode): set it to session mode, or leave it out',
      );
  }
}
