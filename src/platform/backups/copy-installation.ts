import path from 'node:path';
import { systemClock } from '#platform/clock.ts';
import { readVersion } from '#platform/telemetry/build.ts';
import { backUpCluster, type BackUpOptions } from './backup.ts';
import { copyFile } from './backup-files.ts';
import { writeManifest, type BackupManifest } from './backup-manifest.ts';

/** What was copied, and where the log in the copy ends, in bytes from the beginning of the log. */
export type InstallationCopy = {
  readonly manifest: Omit<BackupManifest, 'format'>;
  readonly log_end: string;
};

/** Copies the cluster of a running server and the master key into the empty directory `backup`, and completes it with its manifest. */
export async function copyInstallation(options: BackUpOptions): Promise<InstallationCopy> {
  const { dataDir, backup } = options;
  const created_at = systemClock.now().toISOString();
  const { described, log_end } = await backUpCluster(options);
  const key = await copyFile(
    path.join(dataDir, 'master.key'),
    path.join(backup, 'master.key'),
    () => undefined,
  );
  const files = key ? [...described.files, { path: 'master.key', ...key }] : described.files;
  const manifest = { created_at, tessera_version: await readVersion(), ...described, files };
  await writeManifest(backup, manifest);
  return { manifest, log_end };
}
