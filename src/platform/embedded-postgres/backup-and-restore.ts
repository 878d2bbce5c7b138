// What only the backup and restore commands need: the service starts its database without loading any of it.
export { backUpCluster } from './backup.ts';
export { copyFile } from './backup-files.ts';
export { BackupError, readManifest, writeManifest, type BackupManifest } from './backup-manifest.ts';
export { restoreCluster } from './restore.ts';
