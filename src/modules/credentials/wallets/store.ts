import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Offer } from './rules.ts';

/** The stored fields of a new offer. */
export type NewOffer = Pick<
  Offer,
  'id' | 'member_id' | 'credential_id' | 'tx_code_hash' | 'expires_at' | 'created_at'
> & { readonly handle_hash: Buffer; readonly code_hash: Buffer };

const columns = sql`
  id, member_id, credential_id, tx_code_hash, wrong_tx_codes, expires_at, token_expires_at, delivered, created_at`;

/** Inserts an offer and deletes the credential's earlier one. */
export async function replaceOffer(tx: Transaction, offer: NewOffer): Promise<void> {
  const { id, member_id, credential_id, handle_hash, code_hash, tx_code_hash, expires_at, created_at } =
    offer;
  await tx.run(sql`delete from wallet_offers where credential_id = ${credential_id}`);
  await tx.run(sql`
    insert into wallet_offers (id, member_id, credential_id, handle_hash, code_hash, tx_code_hash, expires_at, created_at)
    values (${id}, ${member_id}, ${credential_id}, ${handle_hash}, ${code_hash}, ${tx_code_hash}, ${expires_at}, ${created_at})`);
}

export function findOfferByHandle(db: Reader, handle_hash: Buffer): Promise<Offer | undefined> {
  return db.find(sql<Offer>`select ${columns} from wallet_offers where handle_hash = ${handle_hash}`);
}

export function lockOfferByCode(tx: Transaction, code_hash: Buffer): Promise<Offer | undefined> {
  return tx.find(sql<Offer>`select ${columns} from wallet_offers where code_hash = ${code_hash} for update`);
}

export function lockOfferByToken(tx: Transaction, token_hash: Buffer): Promise<Offer | undefined> {
  return tx.find(
    sql<Offer>`select ${columns} from wallet_offers where token_hash = ${token_hash} for update`,
  );
}

export async function updateWrongTxCodes(tx: Transaction, { id, wrong_tx_codes }: Offer): Promise<void> {
  await tx.run(sql`update wallet_offers set wrong_tx_codes = ${wrong_tx_codes + 1} where id = ${id}`);
}

/** Stores the access token of an offer, which also marks its code as used. */
export async function updateOfferToken(
  tx: Transaction,
  id: string,
  token_hash: Buffer,
  token_expires_at: Date,
): Promise<void> {
  await tx.run(sql`
    update wallet_offers set token_hash = ${token_hash}, token_expires_at = ${token_expires_at} where id = ${id}`);
}

export async function recordDelivery(
  tx: Transaction,
  id: string,
  delivered: readonly string[],
): Promise<void> {
  await tx.run(sql`update wallet_offers set delivered = ${delivered} where id = ${id}`);
}

export async function deleteOffer(tx: Transaction, id: string): Promise<void> {
  await tx.run(sql`delete from wallet_offers where id = ${id}`);
}

/** Stores a used nonce. @returns false if it was used before. */
export async function insertNonce(tx: Transaction, hash: Buffer, expires_at: Date): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into wallet_nonces (hash, expires_at) values (${hash}, ${expires_at}) on conflict do nothing`);
  return inserted === 1;
}

/** Deletes expired offers and expired nonces, at most `limit` of each. @returns the number of deleted rows. */
export async function deleteExpiredRows(db: Executor, now: Date, limit: number): Promise<number> {
  const offers = await db.run(sql`
    delete from wallet_offers where id in (
      select id from wallet_offers where greatest(expires_at, token_expires_at) <= ${now} limit ${limit} for update skip locked)`);
  const nonces = await db.run(sql`
    delete from wallet_nonces where hash in (
      select hash from wallet_nonces where expires_at <= ${now} limit ${limit} for update skip locked)`);
  return offers + nonces;
}

type HeldRow = Readonly<Record<string, unknown>>;

export function listMemberOffers(db: Reader, member_id: string): Promise<HeldRow[]> {
  return db.list(sql<HeldRow>`
    select credential_id, created_at, expires_at, token_hash is not null as redeemed, delivered
    from wallet_offers where member_id = ${member_id} order by created_at, id`);
}

export async function deleteMemberOffers(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`delete from wallet_offers where member_id = ${member_id}`);
}
