import type { Transaction } from '#platform/database/database.ts';
import { createResponseRefusal, request_minutes } from '../rules.ts';
import { deleteRequest } from '../store.ts';

/**
 * Uses up a login that was started here.
 *
 * @returns the hash of the cookie of the browser that started it.
 * @throws Refusal `sso_response_refused`.
 */
export async function consumeRequest(
  tx: Transaction,
  request: { readonly id: string; readonly org_id: string; readonly now: Date },
): Promise<Buffer> {
  const found = await deleteRequest(tx, request);
  if (!found)
    throw createResponseRefusal(
      `This login was not started at this service, was already completed, or is older than ${request_minutes} minutes.`,
    );
  return found.browser_hash;
}
