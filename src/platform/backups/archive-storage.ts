import type { ArchivedBackup } from './archive.ts';
import type { LogEnd } from './log-end.ts';

/** What one look adds to the log of a backup. */
export type LogPart = {
  readonly segment: string;
  /** Where the part belongs in what is stored of the segment. What is behind is left from an attempt that failed. */
  readonly offset: number;
  readonly packed: Buffer;
  /** The file of the segment, if it is complete now. */
  readonly complete?: string;
};

/** Where the backups of one installation are. What it names `backup` is what it has listed or added. */
export type ArchiveStorage = {
  /** For messages. */
  readonly name: string;
  /** Lists the complete backups, the oldest first. */
  readonly list: () => Promise<ArchivedBackup[]>;
  /**
   * Adds a backup, and removes what an interrupted one left.
   *
   * @param bytes The size of the database.
   * @param fill Writes the backup into an empty directory.
   */
  readonly add: (bytes: number, fill: (draft: string) => Promise<LogEnd>) => Promise<ArchivedBackup>;
  readonly remove: (backup: string) => Promise<void>;
  readonly writePart: (backup: string, part: LogPart) => Promise<void>;
  /** Records how far the log goes, after its content is stored. */
  readonly writeEnd: (backup: string, end: LogEnd) => Promise<void>;
  /** What the newest drill found, as text; undefined if there was none. */
  readonly readRecord: () => Promise<string | undefined>;
  readonly writeRecord: (text: string) => Promise<void>;
  /**
   * Brings a backup with its log to this machine while `work` needs it.
   *
   * @param work Receives the directory of the backup.
   */
  readonly borrow: <Value>(
    backup: ArchivedBackup,
    work: (directory: string) => Promise<Value>,
  ) => Promise<Value>;
  /** How many bytes {@link borrow} needs in the data directory. */
  readonly measure: (backup: ArchivedBackup) => Promise<number>;
};
