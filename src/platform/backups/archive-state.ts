import { instanceMemory } from '#platform/instance-memory.ts';
import type { ArchiveRange } from './archiver.ts';
import type { DrillRecord } from './drill-record.ts';

/** What is known about the archive. */
export type ArchiveState = {
  /** To which moments it can be restored; null before the first backup is complete. */
  readonly range: ArchiveRange;
  /** Why it does not follow, in one line. */
  readonly fault: string | null;
  /** The newest drill. */
  readonly drill: DrillRecord | null;
};

/** The state of the archive that this process keeps; undefined if it keeps none. */
export const archiveMemory = instanceMemory(() => ({ state: undefined as ArchiveState | undefined }));
