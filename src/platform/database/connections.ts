import pg from 'pg';
import { setUpSession, type SessionLimits } from '#platform/database/session.ts';

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
 * The settings of what the service does for itself, when it starts, migrates or runs a command of the operator. Nobody waits for a reply, so a busy
 * server or machine may take as long as it needs; one that does not even open a session within a minute is given up.
 */
export const patientSettings = {
  connectionTimeoutMillis: 60_000,
  statement_timeout: 0,
  lock_timeout: 0,
  query_timeout: 0,
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

/** Creates a client. All clients come from this file: an error of a client without a listener would end the process. */
export function createClient(settings: pg.ClientConfig): pg.Client {
  return new ListeningClient({ ...connectionSettings, ...splitLimits(settings).rest });
}

/** Connects a client that `createClient` made, and sets its session up. If that fails, its connection is closed, whatever the server does. */
export async function connectClient(client: pg.Client, settings: pg.ClientConfig = {}): Promise<void> {
  try {
    await client.connect();
    await setUpSession(client, splitLimits(settings).limits, readSetUpTime(settings));
  } catch (error) {
    client.connection.stream.destroy();
    throw error;
  }
}

/** Opens a client whose session is set up, for work of the service itself: it is as patient as the settings let it be. */
export async function openClient(settings: pg.ClientConfig): Promise<pg.Client> {
  const patient = { ...patientSettings, ...settings };
  const client = createClient(patient);
  await connectClient(client, patient);
  return client;
}

/** Creates a pool of clients whose sessions are set up. */
export function createPool(settings: pg.PoolConfig): pg.Pool {
  const { rest, limits } = splitLimits(settings);
  const options = {
    ...connectionSettings,
    ...rest,
    Client: ListeningClient,
    // The pool waits for the promise, although its type does not say so.
    onConnect: (client: pg.ClientBase) =>
      setUpSession(client, limits, readSetUpTime(settings)) as unknown as void,
  };
  return new pg.Pool(options);
}

/** A session may take as long to be set up as its connection to be opened. */
function readSetUpTime({ connectionTimeoutMillis }: pg.PoolConfig): number {
  return connectionTimeoutMillis ?? connectionSettings.connectionTimeoutMillis;
}

/** The limits are set by a statement, because a pooler refuses them in the first message of a connection. */
function splitLimits(settings: pg.PoolConfig) {
  const { statement_timeout, lock_timeout, idle_in_transaction_session_timeout, ...rest } = settings;
  const limits: SessionLimits = {
    statement_timeout: statement_timeout || 0,
    lock_timeout: lock_timeout || 0,
    idle_in_transaction_session_timeout: idle_in_transaction_session_timeout || 0,
  };
  return { rest, limits };
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
