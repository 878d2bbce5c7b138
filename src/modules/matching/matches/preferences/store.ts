import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import { preferencesResource, type StoredPreferences } from './resource.ts';

/** Finds the preferences of the member. */
export function findPreferences(db: Reader, member_id: string): Promise<StoredPreferences | undefined> {
  return db.find(sql<StoredPreferences>`
    select ${preferencesResource.columns} from matching_preferences where member_id = ${member_id}`);
}

/** Stores the preferences of a member and replaces earlier ones. @returns them as stored. */
export function upsertPreferences(
  tx: Transaction,
  preferences: StoredPreferences,
): Promise<StoredPreferences> {
  return tx.one(sql<StoredPreferences>`
    insert into matching_preferences ${preferencesResource.insert(preferences)}
    on conflict (member_id) do update set ${preferencesResource.replacement} returning ${preferencesResource.columns}`);
}
