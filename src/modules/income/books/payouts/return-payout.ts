import { recordAudit } from '#modules/operations/audit';
import { OperatorError } from '#platform/command-line.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { checkId, readReason } from '../journals/reverse-journal.ts';
import type { Payout } from './rules.ts';
import { returnMoney } from './advance-payout.ts';
import { endPayout, findPayoutById, lockPayout } from './store.ts';

/**
 * Ends a payout of a member that could not be signed, on behalf of the operator: the member has the amount again and may name another address. The token
 * refuses transfers to some addresses, and such a payout would be tried for ever. What was signed may arrive at any time, and is never returned by hand. What is
 * owed back to a payer stays owed.
 *
 * @throws OperatorError if there is no such payout, or it cannot be returned.
 */
export async function returnPayout(
  { database, now }: Pick<Platform, 'database' | 'now'>,
  { payout: id = '', reason: text = '' }: Readonly<Record<string, string>>,
): Promise<{ readonly returned: string }> {
  checkId(id, 'payout');
  const reason = readReason(text);
  return database.transaction(async (tx) => {
    const payout = await lockReturnable(tx, id);
    await returnMoney(tx, payout, { at: now(), reason });
    await endPayout(tx, payout, { status: 'returned', transaction_hash: null, ended_at: now() });
    await recordAudit(tx, {
      now: now(),
      actor: null,
      action: 'ledger.payout_returned',
      detail: { payout_id: id },
    });
    return { returned: id };
  });
}

/** Locks a payout, so that no worker signs it meanwhile. */
async function lockReturnable(tx: Transaction, id: string): Promise<Payout> {
  const found = await findPayoutById(tx, id);
  const payout = found && (await lockPayout(tx, found));
  if (!payout) throw new OperatorError(`there is no payout ${id}`);
  if (payout.kind !== 'income') throw new OperatorError(`payout ${id} gives a payment back, and stays owed`);
  if (payout.status !== 'requested')
    throw new OperatorError(`payout ${id} is ${payout.status}; only one that was not signed can be returned`);
  return payout;
}
