import { nil_uuid } from '#lib/nil-uuid.ts';
import type { Reader } from '#platform/database/database.ts';
import { listCompleteAnswers, type CompleteAnswers } from '../parameters/store.ts';

const page_size = 200;

/**
 * Lists the last complete answers of members who consent, page by page, so that no query returns a large result.
 *
 * @param item_bank_versions The versions of the statements; null for all of our own bank.
 */
export async function* listMemberAnswers(
  db: Reader,
  item_bank_versions: readonly string[] | null = null,
): AsyncGenerator<CompleteAnswers> {
  for (let after: string | undefined = nil_uuid; after !== undefined;) {
    const page: CompleteAnswers[] = await listCompleteAnswers(db, after, page_size, item_bank_versions);
    yield* page;
    after = page.at(-1)?.member_id;
  }
}
