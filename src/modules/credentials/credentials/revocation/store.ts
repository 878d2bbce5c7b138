import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

/** The bits of a list. `version` increases with every change of them; `kid` is the id of the key that signs the list and its credentials. */
export type StatusList = {
  readonly id: string;
  readonly kid: string;
  readonly version: number;
  readonly bits: Buffer;
};

/** The keys and versions of all lists. */
export function listVersions(db: Reader): Promise<Omit<StatusList, 'bits'>[]> {
  return db.list(sql<Omit<StatusList, 'bits'>>`
    select id, kid, sum(version) as version from status_lists join status_list_blocks on list_id = id group by id`);
}

/** These lists. */
export function listStatusLists(db: Reader, ids: readonly string[]): Promise<StatusList[]> {
  return db.list(sql<StatusList>`
    select id, kid, sum(version) as version, string_agg(bits, '' order by block) as bits
    from status_lists join status_list_blocks on list_id = id where id = any(${ids}::uuid[]) group by id`);
}

/** The id of the key of a list, or undefined if the list does not exist. */
export async function findListKid(db: Reader, id: string): Promise<string | undefined> {
  return (await db.find(sql<{ kid: string }>`select kid from status_lists where id = ${id}`))?.kid;
}

/** Like {@link findListKid}. Locks the list against another key. */
export async function lockListKid(tx: Transaction, id: string): Promise<string | undefined> {
  const list = await tx.find(sql<{ kid: string }>`
    select kid from status_lists where id = ${id} for no key update`);
  return list?.kid;
}

/** Inserts a list with its shuffled order of indexes, and the blocks of its bits. */
export async function insertList(
  tx: Transaction,
  list: {
    readonly id: string;
    readonly blocks: readonly Buffer[];
    readonly shuffled: Buffer;
    readonly kid: string;
    readonly created_at: Date;
  },
): Promise<void> {
  const { id, blocks, shuffled, kid, created_at } = list;
  await tx.run(sql`
    insert into status_lists (id, shuffled, kid, created_at) values (${id}, ${shuffled}, ${kid}, ${created_at})`);
  await tx.run(sql`
    insert into status_list_blocks (list_id, block, bits)
    select ${id}, block - 1, bits from unnest(${blocks}::bytea[]) with ordinality as given (bits, block)`);
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

/** Sets a bit of a block of a list. */
export function setBlockBit(
  tx: Transaction,
  list_id: string,
  { block, bit }: { readonly block: number; readonly bit: number },
): void {
  void tx.runAhead(sql`
    update status_list_blocks set bits = set_bit(bits, ${bit}::bigint, 1), version = version + 1
    where list_id = ${list_id} and block = ${block}`);
}

/** Gives a list another key. */
export async function updateListKid(tx: Transaction, id: string, kid: string): Promise<void> {
  await tx.run(sql`update status_lists set kid = ${kid} where id = ${id}`);
}
