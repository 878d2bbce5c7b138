import { sql, type Transaction } from '#platform/database/database.ts';

/**
 * Takes the next nonce of an address: the one after the last that was taken, or the one that the chain expects if that is higher. Others wait until the
 * transaction ends, and a nonce whose transaction fails is taken again.
 */
export async function takeNonce(
  tx: Transaction,
  { chain_id, address }: { readonly chain_id: number; readonly address: string },
  expected: number,
): Promise<number> {
  const { nonce } = await tx.one(sql<{ nonce: number }>`
    insert into payout_nonces as taken (chain_id, address, next_nonce) values (${chain_id}, ${address}, ${expected}::bigint + 1)
    on conflict (chain_id, address) do update set next_nonce = greatest(taken.next_nonce, ${expected}::bigint) + 1
    returning next_nonce - 1 as nonce`);
  return nonce;
}
