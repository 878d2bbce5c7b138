import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import type { Reader } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { announced_max, computeFirstAnnounced, emptyBalance } from './rules.ts';
import { findBalance, listAnnounced } from './store.ts';
import { balanceWire, toBalanceWire } from './wire.ts';

export const readBalance = operation({
  name: 'books.readBalance',
  title: 'Read the prepaid balance',
  summary:
    'Reads what the prepaid balance of the caller’s organisation has left, how to fill it, and which top-ups wait for their money.',
  who: orgRoles,
  input: Type.Object({}),
  output: { 200: balanceWire },
  refuses: [],
  run: (context) => showBalance(context, context.database),
});

/** Reads the balance of the caller's organisation as the API shows it. */
export async function showBalance({ config, now, caller }: Context<(typeof orgRoles)[number]>, db: Reader) {
  const since = computeFirstAnnounced(now());
  const [balance, announced] = await Promise.all([
    findBalance(db, caller.org_id),
    listAnnounced(db, caller.org_id, since, announced_max),
  ]);
  return toBalanceWire(balance ?? emptyBalance, announced, config.top_up_payee);
}
