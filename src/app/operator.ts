import { countUsers } from '#modules/access/accounts';
import { countAllJobs } from '#modules/matching/jobs';
import { countMembers } from '#modules/people/members';
import type { Installation } from '#platform/backups/backups.ts';
import { readConfig } from '#platform/config.ts';
import { migrateDatabase } from '#platform/database/migrate.ts';
import type { Platform } from '#platform/platform.ts';
import { openLog } from '#platform/telemetry/log.ts';
import { openApp } from './app.ts';
import { borrowDatabaseServer } from './service.ts';

/**
 * Runs an operator command with the platform on a migrated database. If the service runs, its database server is used; otherwise the
 * embedded one is started for the duration of the command.
 */
export async function runWithPlatform(
  environment: Readonly<Record<string, string | undefined>>,
  work: (platform: Platform) => Promise<void>,
): Promise<void> {
  const config = readConfig(environment);
  const log = openLog({ level: 'warn' });
  const database = await borrowDatabaseServer(config, log);
  try {
    await migrateDatabase(database.owner);
    const app = await openApp(config, database.settings, { log, isPatient: true });
    try {
      await work(app.platform);
    } finally {
      await app.close();
    }
  } finally {
    await database.stop();
  }
}

/** What the report of a restore counts. */
export const restoreCounts = { members: countMembers, users: countUsers, jobs: countAllJobs };

/** Runs an operator command with the configuration. The database server is started only if the command asks for it. */
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
