import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { deleteResponses, listResponses } from './store.ts';

/** The stored answers of a user of an organisation. They may be shown to that user only, and not to the organisation. */
export async function exportRespondentData(
  db: Reader,
  user_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [{ name: 'culture_responses', rows: await listResponses(db, user_id) }];
}

/**
 * Deletes the answers of a user of an organisation. Published profiles stay, because each combines several respondents and contains nothing
 * about a single one.
 */
export function eraseRespondentData(tx: Transaction, user_id: string): Promise<void> {
  return deleteResponses(tx, user_id);
}
