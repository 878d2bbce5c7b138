import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Preferences } from '#modules/matching/engine';

const columns = sql`clearance_held, remote_policies, salary_min, salary_currency, "values"`;

/** Finds the preferences of the member. */
export function findPreferences(db: Reader, member_id: string): Promise<Preferences | undefined> {
  return db.find(sql<Preferences>`
    select ${columns} from matching_preferences where member_id = ${member_id}`);
}

/** Stores the preferences of the member and replaces earlier ones. @returns them as stored. */
export function upsertPreferences(
  tx: Transaction,
  member_id: string,
  { clearance_held, remote_policies, salary_min, salary_currency, values }: Preferences,
  now: Date,
): Promise<Preferences> {
  return tx.one(sql<Preferences>`
    insert into matching_preferences (member_id, clearance_held, remote_policies, salary_min, salary_currency, "values", updated_at)
    values (${member_id}, ${clearance_held}, ${remote_policies}::text[], ${salary_min}::integer, ${salary_currency}::text,
      ${values && JSON.stringify(values)}::jsonb, ${now})
    on conflict (member_id) do update set clearance_held = excluded.clearance_held, remote_policies = excluded.remote_policies,
      salary_min = excluded.salary_min, salary_currency = excluded.salary_currency, "values" = excluded."values",
      updated_at = excluded.updated_at
    returning ${columns}`);
}
