import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The directory of the repository. */
export const root = path.resolve(import.meta.dirname, '../..');

/** With retries, because a database that is still stopping may write files during the removal. */
const removalOptions = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 } as const;

/** Creates a directory for one benchmark that the account of the database may traverse. The cleaning removes it. */
export async function createTemporaryDirectory(cleaning: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'tessera-bench-'));
  cleaning.defer(() => rm(directory, removalOptions));
  await chmod(directory, 0o711);
  return directory;
}
