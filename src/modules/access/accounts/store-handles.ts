import { sql, type Reader } from '#platform/database/database.ts';
import { accounts, type Account } from './store.ts';

/** The user whose handle reads like this, or undefined. @param skeleton What `computeHandleSkeleton` computes. */
export function findHandleHolder(db: Reader, skeleton: string): Promise<{ readonly id: string } | undefined> {
  return db.find(sql<{ id: string }>`select id from users where handle_skeleton = ${skeleton}`);
}

/** The account with a handle, or undefined. */
export function findAccountByHandle(db: Reader, handle: string): Promise<Account | undefined> {
  return db.find(sql<Account>`${accounts} where handle = ${handle}`);
}
