import type { Reader } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { findArchetype } from './find-archetype.ts';

/** What is inferred about a member here. Nothing of it is kept, so there is nothing to erase: it ends with the trait vectors. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  const archetype = await findArchetype(db, member_id);
  return [{ name: 'archetype', rows: archetype ? [archetype] : [] }];
}
