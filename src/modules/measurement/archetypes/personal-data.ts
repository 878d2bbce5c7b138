import type { Reader } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { findArchetype } from './find-archetype.ts';

/** Exports the member's archetype. It is computed and not stored, so erasing the trait vectors is enough. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  const archetype = await findArchetype(db, member_id);
  return [{ name: 'archetype', rows: archetype ? [archetype] : [] }];
}
