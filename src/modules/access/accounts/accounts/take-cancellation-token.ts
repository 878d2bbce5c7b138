import type { Transaction } from '#platform/database/database.ts';
import { hashToken } from '../secret-token.ts';
import { lockUser, markMailedTokenUsed } from '../store.ts';

/** Uses up the token of an email that confirmed a deletion, and locks its user. Undefined if it is unknown, used or expired. */
export async function takeCancellationToken(
  tx: Transaction,
  token: string,
  now: Date,
): Promise<{ readonly user_id: string; readonly member_id: string } | undefined> {
  const presented = { token_hash: hashToken(token), purpose: 'cancel_deletion', now } as const;
  const holder = await markMailedTokenUsed(tx, presented);
  const user = holder && (await lockUser(tx, holder.user_id));
  if (user?.role !== 'member' || user.linked_entity_id === null) return undefined;
  return { user_id: user.id, member_id: user.linked_entity_id };
}
