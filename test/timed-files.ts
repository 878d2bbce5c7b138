/**
 * The test files that run two at a time, after most others: they start whole services, crash them, fill a disk or stop a database, and
 * wait for what happens then. Three at a time would be too slow for the time limits that they test.
 */
export const processFiles: readonly string[] = [
  'packages/embedded-postgres/crashes.test.ts',
  'packages/embedded-postgres/data-dir-lock.test.ts',
  'packages/embedded-postgres/index.test.ts',
  'src/platform/backups/archiver.test.ts',
  'src/platform/backups/bucket-storage.test.ts',
  'src/platform/telemetry/telemetry.test.ts',
  'test/faults/database-host.test.ts',
  'test/faults/full-disk.test.ts',
  'test/faults/stalled-log.test.ts',
  'test/interop/interop.test.ts',
  'test/operating/archive-disk.test.ts',
  'test/operating/archive.test.ts',
  'test/operating/pgbackrest.test.ts',
  'test/process/commands.test.ts',
  'test/process/descriptors.test.ts',
  'test/process/ended-connections.test.ts',
  'test/process/index-parts.test.ts',
  'test/process/service.test.ts',
  'test/process/start-faults.test.ts',
  'test/process/start.test.ts',
  'test/process/stopping.test.ts',
];

/**
 * The test files that run alone, at the end: they measure how long something takes, or count what the whole process has open. Beside another
 * file they would measure that one too.
 */
export const timedFiles: readonly string[] = [
  'src/modules/access/accounts/login/log-in.test.ts',
  'src/modules/access/accounts/password-changes/forgot-password.test.ts',
  'src/modules/operations/webhooks/sending/burst.test.ts',
  'src/platform/http/server.test.ts',
  'src/platform/limits/shared-counters.test.ts',
  'src/platform/outbound/outbound.test.ts',
  'src/platform/queue/queue-state.test.ts',
  'src/platform/queue/queue.test.ts',
  'src/platform/queue/runners.test.ts',
  'test/faults/locked-table.test.ts',
  'test/faults/pipelining.test.ts',
  'test/faults/stalled-connections.test.ts',
  'test/journeys/burst.test.ts',
];
