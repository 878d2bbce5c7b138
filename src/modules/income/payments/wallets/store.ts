import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Challenge, Wallet } from './rules.ts';

const columns = sql`id, org_id, address, created_by, created_at`;

/** Finds the organisation that a wallet belongs to. */
export async function findWalletOwner(db: Reader, address: string): Promise<string | undefined> {
  const row = await db.find(
    sql<{ org_id: string }>`select org_id from payment_wallets where address = ${address}`,
  );
  return row?.org_id;
}

/** Lists the wallets of an organisation, at most 20, the oldest first. */
export function listOwnWallets(db: Reader, org_id: string): Promise<Wallet[]> {
  return db.list(
    sql<Wallet>`select ${columns} from payment_wallets where org_id = ${org_id} order by created_at, id limit 20`,
  );
}

/** Adds a wallet. @returns undefined if it belongs to an organisation already. */
export function insertWallet(tx: Transaction, wallet: Wallet): Promise<Wallet | undefined> {
  const { id, org_id, address, created_by, created_at } = wallet;
  return tx.find(sql<Wallet>`
    insert into payment_wallets (id, org_id, address, created_by, created_at)
    values (${id}, ${org_id}, ${address}, ${created_by}, ${created_at}) on conflict (address) do nothing returning ${columns}`);
}

/** Removes a wallet of the organisation. @returns it, or undefined if there is none. */
export function deleteWallet(
  tx: Transaction,
  { org_id, id }: Pick<Wallet, 'org_id' | 'id'>,
): Promise<Wallet | undefined> {
  return tx.find(
    sql<Wallet>`delete from payment_wallets where org_id = ${org_id} and id = ${id} returning ${columns}`,
  );
}

/** Stores a challenge in place of an earlier one for the same wallet. */
export async function upsertChallenge(tx: Transaction, challenge: Challenge): Promise<void> {
  const { org_id, address, nonce, expires_at, created_at } = challenge;
  await tx.run(sql`
    insert into payment_wallet_challenges (org_id, address, nonce, expires_at, created_at)
    values (${org_id}, ${address}, ${nonce}, ${expires_at}, ${created_at})
    on conflict (org_id, address) do update set nonce = ${nonce}, expires_at = ${expires_at}, created_at = ${created_at}`);
}

/** Finds the challenge of a wallet, unless it has expired. */
export function findChallenge(
  db: Reader,
  { org_id, address, now }: { readonly org_id: string; readonly address: string; readonly now: Date },
): Promise<Challenge | undefined> {
  return db.find(sql<Challenge>`
    select org_id, address, nonce, expires_at, created_at from payment_wallet_challenges
    where org_id = ${org_id} and address = ${address} and expires_at > ${now}`);
}

/** Takes a challenge, which can be used once. @returns false if it was used or replaced. */
export async function takeChallenge(
  tx: Transaction,
  { org_id, address, nonce }: Pick<Challenge, 'org_id' | 'address' | 'nonce'>,
): Promise<boolean> {
  const deleted = await tx.run(sql`
    delete from payment_wallet_challenges where org_id = ${org_id} and address = ${address} and nonce = ${nonce}`);
  return deleted === 1;
}

/** Deletes challenges that have expired. @returns how many. */
export function deleteExpiredChallenges(db: Executor, now: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from payment_wallet_challenges where (org_id, address) in (
      select org_id, address from payment_wallet_challenges where expires_at <= ${now} order by expires_at limit ${limit})`);
}
