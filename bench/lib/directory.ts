import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The repository. */
export const root = path.resolve(import.meta.dirname, '../..');

/** A database that is still stopping writes its last files meanwhile. */
export const removalOptions = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 } as const;

/** A new directory for one benchmark, which the database's account may pass through. */
export async function createTemporaryDirectory(cleaning: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'tessera-bench-'));
  cleaning.defer(() => rm(directory, removalOptions));
  await chmod(directory, 0o711);
  return directory;
}
