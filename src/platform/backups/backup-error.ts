/** A backup or restore that is refused, for example because the backup is incomplete or altered. The message is one line for the operator. */
export class BackupError extends Error {}
