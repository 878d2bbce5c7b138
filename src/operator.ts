import { openApp } from './app.ts';
import { borrowDatabaseServer } from './service.ts';
import { countUsers } from '#modules/auth';
import { countAllJobs } from '#modules/jobs';
import { countMembers } from '#modules/members';
import type { Installation } from '#platform/backups.ts';
import { readConfig } from '#platform/config.ts';
import { openLog } from '#platform/telemetry/log.ts';
import { migrateDatabase } from '#platform/database/migrate.ts';
import type { Platform } from '#platform/platform.ts';

/**
 * Lends an operator command the platform on a migrated database: the running service's own database if it is up, else the embedded one is
 * started for as long as the command takes.
 */
export async function runWithPlatform(
  environment: Readonly<Record<string, string | undefined>>,
  work: (platform: Platform) => Promise<void>,
): Promise<void> {
  const config = readConfig(environment);
  const log = openLog({ level: 'warn' });
  const database = await borrowDatabaseServer(config, log);
  try {
    await migrateDatabase(database.settings);
    const app = await openApp(config, database.settings, { log });
    try {
      await work(app.platform);
    } finally {
      await app.close();
    }
  } finally {
    await database.stop();
  }
}

/** What the operator compares with memory after a restore. */
export const restoreCounts = { members: countMembers, users: countUsers, jobs: countAllJobs };

/** Lends an operator command the configuration, and the database server only if it asks for it. */
export async function runWithInstallation(
  environment: Readonly<Record<string, string | undefined>>,
  work: (installation: Installation) => Promise<void>,
): Promise<void> {
  const config = readConfig(environment);
  await work({
    config,
    borrowDatabase: () => borrowDatabaseServer(config, openLog({ level: 'warn' })),
    counts: restoreCounts,
  });
}
