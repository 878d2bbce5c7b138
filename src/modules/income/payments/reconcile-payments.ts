import { task, type TaskContext } from '#platform/queue/task.ts';
import { openSharedChain, type Chain } from './chain/chain.ts';
import { ChainUnavailableError } from './chain/chain-unavailable.ts';
import {
  findMinedTransfer,
  isExpired,
  readExpectedTransfer,
  storeSettlement,
} from './rails/settle-on-chain.ts';
import { attempt_seconds, type Payment } from './rules.ts';
import { endAttempt, listOpenPayments, startAttempt } from './store.ts';

const payments_max = 100;
/** A request that is in progress ends within this time. */
const patience_ms = 60_000;

/**
 * Compares with the chain the payments whose outcome is not known: after a lost answer, a killed process or a reorganisation. It also looks once
 * more at payments that failed, after they have expired: their signer could have had them carried out by someone else.
 */
export const reconcilePayments = task<Record<string, never>>({
  name: 'payments.reconcilePayments',
  retry_seconds: [],
  every: '* * * * *',
  run: async (context) => {
    if (!context.config.payments.rails.includes('x402')) return;
    const before = new Date(context.now().getTime() - patience_ms);
    const payments = await listOpenPayments(context.database, { before, limit: payments_max });
    if (payments.length === 0) return;
    const chain = await openSharedChain(context);
    for (const payment of payments) {
      if (context.signal.aborted) return;
      try {
        await reconcilePayment(context, chain, payment);
      } catch (error) {
        // Without the chain, nothing can be found out about the others either.
        if (!(error instanceof ChainUnavailableError)) throw error;
        context.log.warn('the chain does not answer: payments stay unresolved');
        return;
      }
    }
  },
});

async function reconcilePayment(context: TaskContext, chain: Chain, { id }: Payment): Promise<void> {
  const now = context.now();
  const until = new Date(now.getTime() + attempt_seconds * 1000);
  const { database } = context;
  const payment = await database.transaction((tx) => startAttempt(tx, id, { now, until }));
  // A request is settling it.
  if (!payment) return;
  const end = await findEnd(context, chain, payment).catch(async (error: unknown) => {
    await storeEnd('unknown', 'chain_unavailable');
    throw error;
  });
  if (end) await storeEnd(...end);

  async function storeEnd(state: 'failed' | 'unknown', reason: string): Promise<void> {
    const end = { state, reason, transaction: null };
    await database.transaction((tx) => endAttempt(tx, { id, attempt_until: until }, end, context.now()));
  }
}

/** @returns undefined if the payment is settled now. */
async function findEnd(
  context: TaskContext,
  chain: Chain,
  payment: Payment,
): Promise<['failed' | 'unknown', string] | undefined> {
  const expected = readExpectedTransfer(payment);
  // The order matters: what is not mined when the payment has expired, never will be.
  const isOver = await isExpired(chain, payment);
  const found = await findMinedTransfer(chain, expected);
  if (!found) {
    const isUsed = await chain.isAuthorizationUsed(expected.from, expected.nonce);
    if (isUsed) return isOver ? ['failed', 'cancelled'] : ['unknown', 'used'];
    return isOver ? ['failed', 'expired'] : ['unknown', 'pending'];
  }
  if (found.mined.confirmations < context.config.payments.chain!.confirmations)
    return ['unknown', 'unconfirmed'];
  await storeSettlement(context, payment, found);
  return undefined;
}
