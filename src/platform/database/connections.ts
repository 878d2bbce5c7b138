import pg from 'pg';

/**
 * The settings of every connection to the database. A host that vanishes closes nothing: the kernel notices it on a connection that is idle or
 * waits for a reply after 15 s (Node sends ten probes, one a second), but keeps sending for about 15 minutes what the host has not
 * acknowledged. Everything that waits for a reply therefore has a limit of its own as well.
 */
const connectionSettings = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
  connectionTimeoutMillis: 3_000,
} as const satisfies pg.PoolConfig;

/**
 * A client that ends no process. Its listener is there from the beginning, because a server can end a connection in the same bytes in which it
 * says that the connection is ready, before any code that waits for it runs. The statements of the connection report the loss.
 */
class ListeningClient extends pg.Client {
  constructor(settings?: pg.ClientConfig) {
    super(settings);
    this.on('error', () => undefined);
  }
}

/** Creates a client. All clients come from here or from `createPool`: an error of a client without a listener would end the process. */
export function createClient(settings: pg.ClientConfig): pg.Client {
  return new ListeningClient({ ...connectionSettings, ...settings });
}

/** Creates a pool of such clients. */
export function createPool(settings: pg.PoolConfig): pg.Pool {
  return new pg.Pool({ ...connectionSettings, ...settings, Client: ListeningClient });
}

/** Whether the server of a connection refuses writes: a standby, or a primary that is being demoted. */
export async function isReadOnly(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
  return rows[0]?.transaction_read_only !== 'off';
}

/** What `pg` says when a reply does not come within `query_timeout`. */
const silence = 'Query read timeout';

/** Whether an error, or its cause, means that a connection got no reply: its server has vanished, or is stuck beyond its own time limits. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && (error.message === silence || isSilence(error.cause));
}

/**
 * Tracks the idle connections of a pool, so that they can be closed when another connection gets no reply: the same host has most likely
 * vanished for all of them, and each would make one more request wait for its time limit.
 *
 * @returns a function that closes them.
 */
export function trackIdleConnections(pool: pg.Pool): (reason: Error) => void {
  const idle = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => void idle.delete(client));
  pool.on('remove', (client) => void idle.delete(client));
  pool.on('release', (error, client) => {
    if (!error) idle.add(client);
  });
  return (reason) => {
    for (const client of idle) client.connection.stream.destroy(reason);
  };
}
