import type { Reader, Transaction } from '#platform/database/database.ts';
import type { HeldRows } from '#platform/personal-data.ts';
import {
  deleteUsersOf,
  listAuthenticatorsOf,
  listMailedTokensOf,
  listRecoveryCodesOf,
  listRefreshTokensOf,
  listSessionsOf,
  listTicketsOf,
  listUsersOf,
} from './store-personal-data.ts';

/** Everything that is held about how a member signs in, without what would let anybody in. */
export async function exportOf(db: Reader, member_id: string): Promise<readonly HeldRows[]> {
  return [
    { name: 'users', rows: await listUsersOf(db, member_id) },
    { name: 'sessions', rows: await listSessionsOf(db, member_id) },
    { name: 'refresh_tokens', rows: await listRefreshTokensOf(db, member_id) },
    { name: 'mailed_tokens', rows: await listMailedTokensOf(db, member_id) },
    { name: 'authenticators', rows: await listAuthenticatorsOf(db, member_id) },
    { name: 'recovery_codes', rows: await listRecoveryCodesOf(db, member_id) },
    { name: 'mfa_tickets', rows: await listTicketsOf(db, member_id) },
  ];
}

/** Deletes the account with its sessions, tokens and second factor. Close it first, so that its access tokens are refused. */
export async function erase(tx: Transaction, member_id: string): Promise<void> {
  await deleteUsersOf(tx, member_id);
}
