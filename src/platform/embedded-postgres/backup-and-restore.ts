// Exports for the backup and restore commands only, so that a start of the service does not load this code.
export { backUpCluster } from './backup.ts';
export { copyFile } from './backup-files.ts';
export { BackupError, readManifest, writeManifest, type BackupManifest } from './backup-manifest.ts';
export { restoreCluster } from './restore.ts';
