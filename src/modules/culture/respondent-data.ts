import type { Reader, Transaction } from '#platform/database/database.ts';
import type { PersonalDataRows } from '#platform/personal-data.ts';
import { deleteResponses, listResponses } from './store.ts';

/** What is held about a user of an organisation as a respondent: for that user alone, whoever asks on behalf of the organisation. */
export async function exportRespondentData(
  db: Reader,
  user_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [{ name: 'culture_responses', rows: await listResponses(db, user_id) }];
}

/**
 * Removes what a user of an organisation answered. Published profiles stay as they are: each speaks about several people together, and
 * holds nothing about one of them.
 */
export function eraseRespondentData(tx: Transaction, user_id: string): Promise<void> {
  return deleteResponses(tx, user_id);
}
