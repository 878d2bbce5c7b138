import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { cvfQuadrants } from '#modules/organisations/culture';
import { clearances, remotePolicies } from '#modules/matching/jobs';
import { educationLevels } from '#modules/people/members';
import { traitCodes } from '#modules/measurement/traits';
import { migrationsDir } from '#platform/database/migrate.ts';

/**
 * Computes what must be the same for a copy to have the bytes that a new index would have: the source of the engine and of its query, the
 * lists whose order the packed bytes depend on, the migrations, which change the views, and the version of the vectors. A changed comment only costs a rebuild.
 */
export async function computeCopyVersion(vectors: string | undefined): Promise<string> {
  const engine = new URL('../../engine/', import.meta.url);
  const sources = (await readdir(engine)).filter((name) => !name.endsWith('.test.ts')).toSorted();
  const files = [
    ...sources.map((name) => new URL(name, engine)),
    new URL('./store-vectors.ts', import.meta.url),
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file)).update('\0');
  const lists = [traitCodes, educationLevels, clearances, remotePolicies, cvfQuadrants];
  hash.update(JSON.stringify([lists, (await readdir(migrationsDir)).toSorted(), vectors ?? null]));
  return hash.digest('hex');
}
