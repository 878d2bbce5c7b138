import { open } from 'node:fs/promises';
import path from 'node:path';
import { OperatorError } from '#platform/command-line.ts';
import { analyzeTables } from '#platform/database/analyze.ts';
import type { Platform } from '#platform/platform.ts';
import {
  collectRows,
  OnetFormatError,
  readOccupations,
  readWorkStyles,
  type Lines,
  type Occupation,
  type WorkStyleRating,
} from './onet-text.ts';
import { upsertTemplates } from './store.ts';
import { computeJobTemplates, type JobTemplate } from './template-priorities.ts';

/**
 * Imports a job template for every rated occupation of the O*NET text database, from `Occupation Data.txt` and `Work Styles.txt` in the
 * folder `dir`. Templates with the same codes are replaced. Either all templates are imported or none.
 *
 * @throws OperatorError naming the file, and the line if there is one, that is missing or not in the published format.
 */
export async function importTemplates(
  { database }: Pick<Platform, 'database'>,
  { dir }: Readonly<Record<string, string>>,
): Promise<{ readonly imported: number }> {
  if (!dir) throw new OperatorError('name the folder that contains the O*NET text files');
  const templates = await readTemplates(dir);
  await database.transaction((tx) => upsertTemplates(tx, templates));
  await analyzeTables(database, ['job_templates']);
  return { imported: templates.length };
}

/** Reads the job templates of the O*NET text files in a folder and stores nothing. @throws OperatorError as {@link importTemplates}. */
export async function readTemplates(dir: string): Promise<readonly JobTemplate[]> {
  const occupations = await readRows(dir, 'Occupation Data.txt', readOccupations);
  const ratings = await readRows(dir, 'Work Styles.txt', readWorkStyles);
  return buildTemplates(occupations, ratings);
}

async function readRows<Row>(
  dir: string,
  name: string,
  read: (lines: Lines, file: string) => AsyncIterable<Row>,
): Promise<readonly Row[]> {
  const file = path.join(dir, name);
  try {
    await using handle = await open(file);
    return await collectRows(read(handle.readLines({ encoding: 'utf8' }), file));
  } catch (error) {
    if (error instanceof OnetFormatError) throw new OperatorError(error.message);
    if (error instanceof Error && 'code' in error)
      throw new OperatorError(`${file} cannot be read (${String(error.code)})`);
    throw error;
  }
}

/** Contradictions between rows are also errors in the files, so they are reported to the operator in one line. */
function buildTemplates(
  occupations: readonly Occupation[],
  ratings: readonly WorkStyleRating[],
): readonly JobTemplate[] {
  const seen = new Set<string>();
  for (const { onet_code } of occupations) {
    if (seen.has(onet_code)) throw new OperatorError(`the occupation ${onet_code} appears twice`);
    seen.add(onet_code);
  }
  const templates = deriveTemplates(occupations, ratings);
  if (templates.length === 0) throw new OperatorError('no occupation has a work style rating');
  if (templates.some(({ title, description }) => `${title}${description}`.includes('\0')))
    throw new OperatorError('the text of an occupation contains a NUL character');
  return templates;
}

function deriveTemplates(
  occupations: readonly Occupation[],
  ratings: readonly WorkStyleRating[],
): readonly JobTemplate[] {
  try {
    return computeJobTemplates(occupations, ratings);
  } catch (error) {
    throw error instanceof Error ? new OperatorError(error.message) : error;
  }
}
