import type { Reader } from '#platform/database/database.ts';
import type { HeldRows } from '#platform/personal-data.ts';
import { archetypeOf } from './archetype-of.ts';

/** What is inferred about a member here. Nothing of it is kept, so there is nothing to erase: it ends with the trait vectors. */
export async function exportOf(db: Reader, member_id: string): Promise<readonly HeldRows[]> {
  const archetype = await archetypeOf(db, member_id);
  return [{ name: 'archetype', rows: archetype ? [archetype] : [] }];
}
