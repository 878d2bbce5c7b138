import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { connectClient, createClient } from '#platform/database/connections.ts';
import { sql, type Database } from '#platform/database/database.ts';

/** Tells the workers of all processes that tasks were queued. A lost announcement delays a task until the next poll. */
export type Announcements = {
  /** Announces a committed task, without waiting. */
  announce(name: string): void;
  /** From now on calls `wake` for the tasks that this process and others announce, and without a name after announcements may have been lost. */
  listen(wake: (name?: string) => void): Promise<void>;
  close(): Promise<void>;
};

const channel = 'tessera_tasks';

/**
 * Opens the announcements. A process with workers announces to itself, without the database. Other processes notify the listening ones after
 * the commit, all tasks that gathered meanwhile with one statement: PostgreSQL commits transactions that notify one after the other, which
 * would limit the rate of all writes that queue a task.
 */
export function openAnnouncements(database: Database): Announcements {
  let wakeOwn: ((name?: string) => void) | undefined;
  let stopListening: () => void = () => undefined;
  let notifying: Promise<void> | undefined;
  const gathered = new Set<string>();
  const notifyOthers = async () => {
    while (gathered.size > 0) {
      const names = [...gathered];
      gathered.clear();
      await database
        .run(sql`select pg_notify(${channel}, name) from unnest(${names}::text[]) as name`)
        .catch(() => 0);
    }
    notifying = undefined;
  };
  return {
    announce: (name) => {
      if (wakeOwn) return wakeOwn(name);
      gathered.add(name);
      notifying ??= notifyOthers();
    },
    listen: async (wake) => {
      wakeOwn = wake;
      stopListening = await openListener(database.settings, wake);
    },
    close: async () => {
      await notifying;
      stopListening();
    },
  };
}

const reconnect_ms = 1_000;
/** A host that vanished closes nothing, so the connection is asked for a sign of life, and given up without a reply. */
const silence_ms = 5_000;

/** Listens on a connection of its own, and connects again whenever that is lost. @returns a function that ends it, after the first attempt. */
async function openListener(settings: pg.ClientConfig, wake: (name?: string) => void): Promise<() => void> {
  let client: pg.Client | undefined;
  let isClosed = false;
  const connect = async () => {
    if (isClosed) return;
    const opened = createClient({ ...settings, query_timeout: silence_ms });
    client = opened;
    const closeSocket = () => void opened.connection.stream.destroy();
    const timer = setInterval(
      () => void opened.query('select pg_listening_channels()').catch(closeSocket),
      silence_ms,
    );
    timer.unref();
    opened.once('end', () => {
      clearInterval(timer);
      void pause(reconnect_ms, undefined, { ref: false }).then(connect);
    });
    opened.on('notification', ({ payload }) => wake(payload));
    try {
      await connectClient(opened);
      await opened.query(`listen ${channel}`);
      wake();
    } catch {
      closeSocket();
    }
  };
  await connect();
  return () => {
    isClosed = true;
    void client?.end().catch(() => undefined);
    // A host that has vanished does not take leave.
    setTimeout(() => client?.connection.stream.destroy(), reconnect_ms).unref();
  };
}
