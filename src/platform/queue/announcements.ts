import type { PgBoss } from 'pg-boss';
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
export function openAnnouncements(boss: PgBoss, database: Database): Announcements {
  let wakeOwn: ((name?: string) => void) | undefined;
  let handle: { close(): Promise<void> } | undefined;
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
      handle = await boss.getDb().listen?.(channel, wake, () => wake());
    },
    close: async () => {
      await notifying;
      await handle?.close();
    },
  };
}
