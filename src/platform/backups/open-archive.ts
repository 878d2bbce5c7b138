import type { ArchivePlace } from '#platform/archive-config.ts';
import type { ArchiveStorage } from './archive-storage.ts';
import { openBucketStorage } from './bucket-storage.ts';
import { openDirectoryStorage } from './directory-storage.ts';

/** Opens the storage of an archive. Nothing is read or written yet. @param dataDir Where copies are while they are on their way. */
export function openArchive(place: ArchivePlace, dataDir: string): ArchiveStorage {
  return typeof place === 'string' ? openDirectoryStorage(place) : openBucketStorage(place, dataDir);
}
