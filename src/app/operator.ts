import { countUsers } from '#modules/access/accounts';
import { checkBooks, describeFaults, toReportFields } from '#modules/income/books';
import { countAllJobs } from '#modules/matching/jobs';
import { describeAuditFaults, verifyAudit } from '#modules/operations/audit';
import { countMembers } from '#modules/people/members';
import type { Installation } from '#platform/backups/backups.ts';
import { OperatorError } from '#platform/command-line.ts';
import { readConfig, type Config } from '#platform/config.ts';
import { checkDatabase, type DatabaseCheck } from '#platform/database/check-database.ts';
import { migrateDatabase } from '#platform/database/migrate.ts';
import { service_role } from '#platform/database/roles.ts';
import { checkDistribution, type ReferenceCheck } from '#platform/distribution/check-references.ts';
import { distributeDatabase, type DistributionLine } from '#platform/distribution/distribute.ts';
import { listPlaces, type PlaceReport } from '#platform/distribution/list-places.ts';
import type { Platform } from '#platform/platform.ts';
import { openLog } from '#platform/telemetry/log.ts';
import { runDrill, type DrillReport } from '#platform/backups/drill.ts';
import { tables } from '../tables/tables.ts';
import { openApp } from './app.ts';
import { distribution } from './distribution.ts';
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

/** Whose rows a drill counts: what people, money and evidence are. */
const drillTables = [
  ...tables.members.owns,
  ...tables.jobs.owns,
  ...tables.consent.owns,
  ...tables.credentials.owns,
  ...tables.books.owns,
  'users',
  'organisations',
  'audit_log',
];

/** Runs a drill with the configuration of an installation. */
export function runConfiguredDrill(installation: Installation): Promise<DrillReport> {
  const { config } = installation;
  return runDrill(installation, {
    tables: drillTables,
    checkContent: async (superuser, dataDir) => {
      const log = openLog({ level: 'warn' });
      const settings = { ...superuser, user: service_role };
      const app = await openApp({ ...config, dataDir }, settings, { log, isPatient: true });
      try {
        const books = describeFaults(toReportFields(await checkBooks(app.platform)));
        return books ?? describeAuditFaults(await verifyAudit(app.platform, {}));
      } finally {
        await app.close();
      }
    },
  });
}

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

/**
 * Checks the files of the database that the configuration names. Of a distributed database it checks the references between nodes, because its files are on
 * each node.
 */
export async function checkInstalledDatabase({
  borrowDatabase,
}: Installation): Promise<DatabaseCheck | ReferenceCheck> {
  const server = await borrowDatabase();
  try {
    return (await checkDistribution(server.superuser)) ?? (await checkDatabase(server.superuser));
  } finally {
    await server.stop();
  }
}

/**
 * Distributes the database that the configuration names, over the nodes of Citus.
 *
 * @throws OperatorError for the embedded database, which is one server.
 */
export function distributeInstalledDatabase(
  { config }: Installation,
  { yes }: Readonly<Record<string, unknown>>,
): AsyncIterable<DistributionLine> {
  return distributeDatabase(findServer(config), distribution, yes === true);
}

/** Lists where the tables of the database are that the configuration names. */
export function listInstalledPlacements({ config }: Installation): Promise<PlaceReport> {
  return listPlaces(findServer(config));
}

function findServer({ databaseUrl }: Config): { readonly connectionString: string } {
  if (!databaseUrl)
    throw new OperatorError(
      'the embedded database is one server: set TESSERA_DATABASE_URL to a database on a coordinator of Citus',
    );
  return { connectionString: databaseUrl };
}
