import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

/** The bits of a list; `version` goes up with every change of them. */
export type ListBits = { readonly id: string; readonly version: number; readonly bits: Buffer };

/** A list with its signed forms, null where they are to be made. */
export type StatusList = ListBits & {
  readonly vc_jwt: string | null;
  readonly token_jwt: string | null;
  readonly signed_at: Date | null;
};

export type SignedList = {
  readonly vc_jwt: string;
  readonly token_jwt: string;
  readonly signed_at: Date;
};

const columns = sql`id, version, bits, vc_jwt, token_jwt, signed_at`;

/** The list of an id, or undefined. */
export function findList(db: Reader, id: string): Promise<StatusList | undefined> {
  return db.find(sql<StatusList>`select ${columns} from status_lists where id = ${id}`);
}

/** The list of an id, held against other changes of it. */
export function lockList(tx: Transaction, id: string): Promise<StatusList | undefined> {
  return tx.find(sql<StatusList>`select ${columns} from status_lists where id = ${id} for no key update`);
}

/** The versions of all lists: one for each 131,072 credentials. */
export function listVersions(db: Reader): Promise<Pick<ListBits, 'id' | 'version'>[]> {
  return db.list(sql<Pick<ListBits, 'id' | 'version'>>`select id, version from status_lists`);
}

/** The bits of these lists. */
export function listBits(db: Reader, ids: readonly string[]): Promise<ListBits[]> {
  return db.list(sql<ListBits>`select id, version, bits from status_lists where id = any(${ids}::uuid[])`);
}

/** Adds an empty list with its order of indexes. */
export async function insertList(
  tx: Transaction,
  list: {
    readonly id: string;
    readonly bits: Buffer;
    readonly shuffled: Buffer;
    readonly created_at: Date;
  },
): Promise<void> {
  const { id, bits, shuffled, created_at } = list;
  await tx.run(sql`
    insert into status_lists (id, bits, shuffled, created_at) values (${id}, ${bits}, ${shuffled}, ${created_at})`);
}

/** Takes `count` places of the oldest list that has so many left; @returns the list and the first place, or undefined where none has. */
export function takeRun(
  tx: Transaction,
  count: number,
  entries: number,
): Promise<{ readonly id: string; readonly from: number } | undefined> {
  return tx.find(sql<{ id: string; from: number }>`
    update status_lists set taken = taken + ${count}::integer
    where id = (
      select id from status_lists where taken <= ${entries - count}::integer order by created_at, id limit 1 for no key update
    ) returning id, taken - ${count}::integer as from`);
}

/** A piece of a list's order of indexes: `length` bytes from `start`, which counts from 1. */
export async function readShuffledPiece(
  tx: Transaction,
  id: string,
  { start, length }: { readonly start: number; readonly length: number },
): Promise<Buffer> {
  const { piece } = await tx.one(sql<{ piece: Buffer }>`
    select substring(shuffled from ${start}::integer for ${length}::integer) as piece from status_lists where id = ${id}`);
  return piece;
}

/** Changes a list's bits; its signed forms are to be made anew. Hold its lock. */
export async function updateBits(tx: Transaction, { id, version, bits }: ListBits): Promise<void> {
  await tx.run(sql`
    update status_lists set bits = ${bits}, version = ${version}, vc_jwt = null, token_jwt = null, signed_at = null where id = ${id}`);
}

/** Keeps the signed forms of a list's bits. Hold its lock. */
export async function updateSignedForms(tx: Transaction, id: string, signed: SignedList): Promise<void> {
  const { vc_jwt, token_jwt, signed_at } = signed;
  await tx.run(sql`
    update status_lists set vc_jwt = ${vc_jwt}, token_jwt = ${token_jwt}, signed_at = ${signed_at} where id = ${id}`);
}
