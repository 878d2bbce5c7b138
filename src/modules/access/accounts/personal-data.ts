import type { Reader, Transaction } from '#platform/database/database.ts';
import type { MemberAccounts, PersonalDataRows } from '#platform/personal-data.ts';
import {
  deleteMemberUsers,
  listMemberAccounts,
  listMemberAuthenticators,
  listMemberMailedTokens,
  listMemberPasskeys,
  listMemberRecoveryCodes,
  listMemberRefreshTokens,
  listMemberSessions,
  listMemberTickets,
  listMemberUsers,
} from './store-personal-data.ts';

/** Finds the users of a member, for holders of personal data whose rows have no `member_id`. */
export async function findMemberAccounts(db: Reader, member_id: string): Promise<MemberAccounts> {
  const users = await listMemberAccounts(db, member_id);
  return { user_ids: users.map(({ id }) => id), emails: users.map(({ email }) => email) };
}

/** Returns everything that is stored about how a member logs in, without secrets. */
export async function exportPersonalData(
  db: Reader,
  member_id: string,
): Promise<readonly PersonalDataRows[]> {
  return [
    { name: 'users', rows: await listMemberUsers(db, member_id) },
    { name: 'sessions', rows: await listMemberSessions(db, member_id) },
    { name: 'refresh_tokens', rows: await listMemberRefreshTokens(db, member_id) },
    { name: 'mailed_tokens', rows: await listMemberMailedTokens(db, member_id) },
    { name: 'authenticators', rows: await listMemberAuthenticators(db, member_id) },
    { name: 'recovery_codes', rows: await listMemberRecoveryCodes(db, member_id) },
    { name: 'passkeys', rows: await listMemberPasskeys(db, member_id) },
    { name: 'mfa_tickets', rows: await listMemberTickets(db, member_id) },
  ];
}

/** Deletes the account with its sessions, tokens, passkeys and MFA. Close the account first, so that its access tokens are refused. */
export async function erasePersonalData(tx: Transaction, member_id: string): Promise<void> {
  await deleteMemberUsers(tx, member_id);
}
