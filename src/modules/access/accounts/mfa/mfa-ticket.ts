import { randomBytes } from 'node:crypto';
import type { Transaction } from '#platform/database/database.ts';
import { ticket_seconds } from '../rules.ts';
import { hashToken } from '../secret-token.ts';
import { insertTicket } from './store.ts';

/** Issues a ticket of 256 random bits for the second step of a login. */
export async function issueTicket(
  { now }: { readonly now: () => Date },
  tx: Transaction,
  user_id: string,
): Promise<string> {
  const ticket = randomBytes(32).toString('base64url');
  const created_at = now();
  const expires_at = new Date(created_at.getTime() + ticket_seconds * 1000);
  await insertTicket(tx, { ticket_hash: hashToken(ticket), user_id, created_at, expires_at });
  return ticket;
}
