import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { computeOnce } from '#lib/cache-results.ts';
import { cvfQuadrants } from '#modules/organisations/culture';
import { clearances, remotePolicies } from '#modules/matching/jobs';
import { educationLevels } from '#modules/people/members';
import { builtInNorms, traitCodes } from '#modules/measurement/traits';
import { migrationsDir } from '#platform/database/migrate.ts';

/**
 * Computes what must be the same for two indexes of the same members to have the same bytes, and for their processes to understand each
 * other: the source of the engine, of its query and of what the processes send, the lists and correlations that the packed bytes depend on,
 * and the migrations, which change the views. A changed comment only costs a rebuild.
 */
export const computeIndexVersion = computeOnce(async (): Promise<string> => {
  const folders = [new URL('../../engine/', import.meta.url), new URL('../parts/', import.meta.url)];
  const files = [
    ...(await Promise.all(folders.map(listSources))).flat(),
    new URL('./store-vectors.ts', import.meta.url),
    new URL('../../../../lib/concurrency/index-shard.ts', import.meta.url),
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file)).update('\0');
  const lists = [
    traitCodes,
    builtInNorms.correlations,
    educationLevels,
    clearances,
    remotePolicies,
    cvfQuadrants,
  ];
  hash.update(JSON.stringify([lists, (await readdir(migrationsDir)).toSorted()]));
  return hash.digest('hex');
});

async function listSources(folder: URL): Promise<readonly URL[]> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.test.ts'));
  return names.toSorted().map((name) => new URL(name, folder));
}
