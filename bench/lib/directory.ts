import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The repository. */
export const root = path.resolve(import.meta.dirname, '../..');

/** A new directory for one benchmark, which the database's account may pass through. */
export async function temporaryDirectory(cleaning: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'tessera-bench-'));
  cleaning.defer(() => rm(directory, { recursive: true, force: true }));
  await chmod(directory, 0o711);
  return directory;
}
