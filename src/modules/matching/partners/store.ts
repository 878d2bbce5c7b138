import type { Partner } from '#modules/matching/candidates';
import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Connection, Order } from './rules.ts';

const connectionColumns = sql`org_id, partner, origin, key_sealed, created_at, updated_at`;
const orderColumns = sql`invitation_id, org_id, partner, callback_url, announced, had_result, cancelled_at, created_at`;

/** Whose connection to which system. */
export type ConnectionKey = Pick<Connection, 'org_id' | 'partner'>;

export function findConnection(
  db: Reader,
  { org_id, partner }: ConnectionKey,
): Promise<Connection | undefined> {
  return db.find(
    sql<Connection>`select ${connectionColumns} from partner_connections where org_id = ${org_id} and partner = ${partner}`,
  );
}

export function listConnections(db: Reader, org_id: string): Promise<Connection[]> {
  return db.list(
    sql<Connection>`select ${connectionColumns} from partner_connections where org_id = ${org_id} order by partner`,
  );
}

/** Stores a connection, in place of an earlier one. @returns it, with the time of the first. */
export function upsertConnection(
  tx: Transaction,
  { org_id, partner, origin, key_sealed, updated_at }: Omit<Connection, 'created_at'>,
): Promise<Connection> {
  return tx.one(sql<Connection>`
    insert into partner_connections (org_id, partner, origin, key_sealed, created_at, updated_at)
    values (${org_id}, ${partner}, ${origin}, ${key_sealed}, ${updated_at}, ${updated_at})
    on conflict (org_id, partner) do update set origin = ${origin}, key_sealed = ${key_sealed}, updated_at = ${updated_at}
    returning ${connectionColumns}`);
}

/** @returns whether there was one. */
export async function deleteConnection(
  tx: Transaction,
  { org_id, partner }: ConnectionKey,
): Promise<boolean> {
  const deleted = await tx.run(
    sql`delete from partner_connections where org_id = ${org_id} and partner = ${partner}`,
  );
  return deleted > 0;
}

export async function insertOrder(
  tx: Transaction,
  { invitation_id, org_id, partner, callback_url, announced, created_at }: Order,
  request_hash: Buffer,
): Promise<void> {
  await tx.run(sql`
    insert into partner_orders (invitation_id, org_id, partner, request_hash, callback_url, announced, checked_at, created_at)
    values (${invitation_id}, ${org_id}, ${partner}, ${request_hash}, ${callback_url}, ${announced}, ${created_at}, ${created_at})`);
}

export function findOrder(db: Reader, invitation_id: string): Promise<Order | undefined> {
  return db.find(
    sql<Order>`select ${orderColumns} from partner_orders where invitation_id = ${invitation_id}`,
  );
}

/** Locks an order, so that of two announcements at the same time the second one sees the first. */
export function lockOrder(tx: Transaction, invitation_id: string): Promise<Order | undefined> {
  return tx.find(
    sql<Order>`select ${orderColumns} from partner_orders where invitation_id = ${invitation_id} for update`,
  );
}

/** The newest order that a system named in the same way. */
export function findOrderByRequest(
  db: Reader,
  { org_id, partner }: { readonly org_id: string; readonly partner: Partner },
  request_hash: Buffer,
): Promise<Order | undefined> {
  return db.find(sql<Order>`
    select ${orderColumns} from partner_orders
    where org_id = ${org_id} and partner = ${partner} and request_hash = ${request_hash} order by created_at desc limit 1`);
}

export async function announceOrder(
  tx: Transaction,
  { invitation_id, announced, had_result, cancelled_at }: Order,
  ended_at: Date | null,
): Promise<void> {
  await tx.run(sql`
    update partner_orders
    set announced = ${announced}, had_result = ${had_result}, cancelled_at = ${cancelled_at}, ended_at = ${ended_at}
    where invitation_id = ${invitation_id}`);
}

/** Takes the open orders that were not looked at for the longest time, at most `limit` of them. */
export async function takeOpenOrders(db: Executor, now: Date, limit: number): Promise<readonly string[]> {
  const rows = await db.list(sql<Pick<Order, 'invitation_id'>>`
    update partner_orders set checked_at = ${now} where invitation_id in (
      select invitation_id from partner_orders where ended_at is null and checked_at < ${now}
      order by checked_at limit ${limit} for update skip locked)
    returning invitation_id`);
  return rows.map(({ invitation_id }) => invitation_id);
}

/** Deletes at most `limit` orders that ended before a time. @returns their number. */
export function deleteEndedOrders(db: Executor, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from partner_orders where invitation_id in (
      select invitation_id from partner_orders where ended_at <= ${before} limit ${limit})`);
}

/** Deletes the orders and connections of an organisation that is removed. */
export async function deleteOrganisationOrders(tx: Transaction, org_id: string): Promise<void> {
  await tx.run(sql`delete from partner_orders where org_id = ${org_id}`);
  await tx.run(sql`delete from partner_connections where org_id = ${org_id}`);
}
