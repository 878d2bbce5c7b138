import { Refusal } from '#lib/refusal.ts';
import type { Reader } from '#platform/database/database.ts';
import { findUser } from '../store.ts';

/** Requires that a user can be reached by email. @throws Refusal `email_missing`. */
export async function requireEmail(db: Reader, user_id: string): Promise<void> {
  if ((await findUser(db, user_id))?.email === null) throw new Refusal('email_missing');
}
