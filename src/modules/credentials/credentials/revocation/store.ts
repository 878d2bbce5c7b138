import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

/** The bits of a list. `version` increases with every change. */
export type ListBits = { readonly id: string; readonly version: number; readonly bits: Buffer };

/** A list and the id of the key that signs it and its credentials. */
export type KeyedList = ListBits & { readonly kid: string };

/** A list with its signed forms, which are null until the list is signed. */
export type StatusList = KeyedList & {
  readonly vc_jwt: string | null;
  readonly token_jwt: string | null;
  readonly signed_at: Date | null;
};

export type SignedList = {
  readonly kid: string;
  readonly vc_jwt: string;
  readonly token_jwt: string;
  readonly signed_at: Date;
};

const columns = sql`id, version, bits, kid, vc_jwt, token_jwt, signed_at`;

/** The list with an id, or undefined. */
export function findList(db: Reader, id: string): Promise<StatusList | undefined> {
  return db.find(sql<StatusList>`select ${columns} from status_lists where id = ${id}`);
}

/** The list with an id, locked against changes by other transactions. */
export function lockList(tx: Transaction, id: string): Promise<StatusList | undefined> {
  return tx.find(sql<StatusList>`select ${columns} from status_lists where id = ${id} for no key update`);
}

/** The versions of all lists. */
export function listVersions(db: Reader): Promise<Pick<ListBits, 'id' | 'version'>[]> {
  return db.list(sql<Pick<ListBits, 'id' | 'version'>>`select id, version from status_lists`);
}

/** The bits of these lists. */
export function listBits(db: Reader, ids: readonly string[]): Promise<ListBits[]> {
  return db.list(sql<ListBits>`select id, version, bits from status_lists where id = any(${ids}::uuid[])`);
}

/** Inserts an empty list with its shuffled order of indexes. */
export async function insertList(
  tx: Transaction,
  list: {
    readonly id: string;
    readonly bits: Buffer;
    readonly shuffled: Buffer;
    readonly kid: string;
    readonly created_at: Date;
  },
): Promise<void> {
  const { id, bits, shuffled, kid, created_at } = list;
  await tx.run(sql`
    insert into status_lists (id, bits, shuffled, kid, created_at) values (${id}, ${bits}, ${shuffled}, ${kid}, ${created_at})`);
}

/** Reserves `count` entries of the key's oldest list that has enough left. @returns the list and the first position, or undefined. */
export function reserveListEntries(
  tx: Transaction,
  kid: string,
  count: number,
  entries: number,
): Promise<{ readonly id: string; readonly from: number } | undefined> {
  return tx.find(sql<{ id: string; from: number }>`
    update status_lists set taken = taken + ${count}::integer
    where id = (
      select id from status_lists where kid = ${kid} and taken <= ${entries - count}::integer
      order by created_at, id limit 1 for no key update
    ) returning id, taken - ${count}::integer as from`);
}

/** A slice of a list's shuffled order: `length` bytes from `start`, which counts from 1. */
export async function readShuffledPiece(
  tx: Transaction,
  id: string,
  { start, length }: { readonly start: number; readonly length: number },
): Promise<Buffer> {
  const { piece } = await tx.one(sql<{ piece: Buffer }>`
    select substring(shuffled from ${start}::integer for ${length}::integer) as piece from status_lists where id = ${id}`);
  return piece;
}

/** Changes a list's bits and deletes its signed forms. The caller must hold the list's lock. */
export async function updateBits(tx: Transaction, { id, version, bits }: ListBits): Promise<void> {
  await tx.run(sql`
    update status_lists set bits = ${bits}, version = ${version}, vc_jwt = null, token_jwt = null, signed_at = null where id = ${id}`);
}

/** Stores the signed forms of a list. The caller must hold the list's lock. */
export async function updateSignedForms(tx: Transaction, id: string, signed: SignedList): Promise<void> {
  const { kid, vc_jwt, token_jwt, signed_at } = signed;
  await tx.run(sql`
    update status_lists set kid = ${kid}, vc_jwt = ${vc_jwt}, token_jwt = ${token_jwt}, signed_at = ${signed_at} where id = ${id}`);
}

/** Gives a list another key and deletes its signed forms. The caller must hold the list's lock. */
export async function updateListKey(tx: Transaction, id: string, kid: string): Promise<void> {
  await tx.run(sql`
    update status_lists set kid = ${kid}, vc_jwt = null, token_jwt = null, signed_at = null where id = ${id}`);
}
