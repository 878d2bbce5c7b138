import { task, type TaskContext } from '#platform/queue/task.ts';
import { openSharedChain, type Chain } from '../chain/chain.ts';
import { ChainUnavailableError } from '../chain/chain-unavailable.ts';
import {
  findMinedTransfer,
  isExpired,
  readExpectedTransfer,
  storeSettlement,
} from '../rails/settle-on-chain.ts';
import { attempt_seconds, type Claim } from '../rules.ts';
import { endAttempt, listOpenClaims, startAttempt } from './store.ts';

const claims_max = 100;
/** A request that is in progress ends within this time. */
const patience_ms = 60_000;

/**
 * Compares with the chain the payments whose outcome is not known: after a lost answer, a killed process or a reorganisation. It also looks once
 * more at payments that failed, after they have expired: their signer could have had them carried out by someone else.
 */
export const reconcileClaims = task<Record<string, never>>({
  name: 'payments.reconcileClaims',
  retry_seconds: [],
  every: '* * * * *',
  run: async (context) => {
    if (!context.config.payments.rails.includes('x402')) return;
    const before = new Date(context.now().getTime() - patience_ms);
    const claims = await listOpenClaims(context.database, { before, limit: claims_max });
    if (claims.length === 0) return;
    const chain = await openSharedChain(context);
    for (const claim of claims) {
      if (context.signal.aborted) return;
      try {
        await reconcileClaim(context, chain, claim);
      } catch (error) {
        // Without the chain, nothing can be found out about the others either.
        if (!(error instanceof ChainUnavailableError)) throw error;
        context.log.warn('the chain does not answer: payments stay unresolved');
        return;
      }
    }
  },
});

async function reconcileClaim(context: TaskContext, chain: Chain, { id }: Claim): Promise<void> {
  const now = context.now();
  const until = new Date(now.getTime() + attempt_seconds * 1000);
  const { database } = context;
  const claim = await database.transaction((tx) => startAttempt(tx, id, { now, until }));
  // A request is settling it.
  if (!claim) return;
  const end = await findEnd(context, chain, claim).catch(async (error: unknown) => {
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
  claim: Claim,
): Promise<['failed' | 'unknown', string] | undefined> {
  const expected = readExpectedTransfer(claim);
  // The order matters: what is not mined when the payment has expired, never will be.
  const isOver = await isExpired(chain, claim);
  const found = await findMinedTransfer(chain, expected);
  if (!found) {
    const isUsed = await chain.isAuthorizationUsed(expected.from, expected.nonce);
    if (isUsed) return isOver ? ['failed', 'cancelled'] : ['unknown', 'used'];
    return isOver ? ['failed', 'expired'] : ['unknown', 'pending'];
  }
  if (found.mined.confirmations < context.config.payments.chain!.confirmations)
    return ['unknown', 'unconfirmed'];
  await storeSettlement(context, claim, found);
  return undefined;
}
