import type { Platform } from '#platform/platform.ts';
import { postJournal } from '../journals/post-journal.ts';
import { buildReversalJournal } from '../journals/rules.ts';
import { buildPayoutJournal, buildSettlementJournal, mayRaiseFee, type Payout } from './rules.ts';
import { findJournalByKey, findJournal } from '../journals/store.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { PayoutRail, StoredTransfer } from './payout-rail.ts';
import { endPayout, insertPayout, lockPayout, updateSending, type PayoutKey } from './store.ts';

type Services = Pick<Platform, 'database' | 'now'>;

/** Opens a payout: its money is in progress from now on. */
export async function openPayout(tx: Transaction, payout: Payout): Promise<void> {
  await insertPayout(tx, payout);
  await postJournal(tx, buildPayoutJournal(payout));
}

/**
 * Brings a payout as far as it gets: prepares its transfer and stores it, sends it, and posts the second journal when its outcome is known. Each
 * step may be repeated, by any process: the transfer that is sent is always a stored one, all of a payout have one nonce, and a payout ends once.
 */
export async function advancePayout(services: Services, rail: PayoutRail, key: PayoutKey): Promise<void> {
  const transfer = await storeTransfer(services, rail, key);
  if (!transfer) return;
  await rail.sendTransfer(transfer);
  const { state, transaction_hash } = await rail.readOutcome(transfer);
  if (state === 'waiting') await replaceIfDue(services, rail, key);
  else if (state !== 'confirming') await recordOutcome(services, key, { state, transaction_hash });
}

/** The stored transfer of a payout, prepared if there is none; undefined if the payout has ended. */
function storeTransfer(
  { database, now }: Services,
  rail: PayoutRail,
  key: PayoutKey,
): Promise<StoredTransfer | undefined> {
  return database.transaction(async (tx) => {
    const payout = await lockPayout(tx, key);
    if (payout?.status === 'sending') return readTransfer(payout);
    if (payout?.status !== 'requested') return undefined;
    const transfer = await rail.prepareTransfer(tx, payout);
    await updateSending(tx, key, transfer, now());
    return { ...transfer, earlier_hashes: [] };
  });
}

/** Stores and sends the transfer with a higher fee, if it has waited for long. The next run reads what became of it. */
async function replaceIfDue(services: Services, rail: PayoutRail, key: PayoutKey): Promise<void> {
  const { database, now } = services;
  const raised = await database.transaction(async (tx) => {
    const payout = await lockPayout(tx, key);
    if (!payout || !mayRaiseFee(payout, now())) return undefined;
    const transfer = await rail.replaceTransfer(readTransfer(payout));
    await updateSending(tx, key, transfer, now());
    return lockPayout(tx, key);
  });
  if (raised) await rail.sendTransfer(readTransfer(raised));
}

function readTransfer({ id, transaction_hash, signed_transaction, earlier_hashes }: Payout): StoredTransfer {
  if (transaction_hash === null || signed_transaction === null)
    throw new Error(`payout ${id} is being sent without a transaction`);
  return { transaction_hash, signed_transaction, earlier_hashes };
}

function recordOutcome(
  { database, now }: Services,
  key: PayoutKey,
  { state, transaction_hash }: { readonly state: 'paid' | 'failed'; readonly transaction_hash: string },
): Promise<void> {
  return database.transaction(async (tx) => {
    const payout = await lockPayout(tx, key);
    if (payout?.status !== 'sending') return;
    const ended_at = now();
    if (state === 'paid') await postJournal(tx, buildSettlementJournal(payout, ended_at));
    else await returnMoney(tx, payout, { at: ended_at, reason: 'transfer_failed' });
    await endPayout(tx, key, {
      status: state === 'paid' ? 'paid' : 'returned',
      transaction_hash,
      ended_at,
    });
  });
}

/** Takes the first journal of a payout back, so that its owner has the money again. */
export async function returnMoney(
  tx: Transaction,
  { holder_id, id }: Payout,
  because: { readonly at: Date; readonly reason: string },
): Promise<void> {
  const first = await findJournalByKey(tx, holder_id, `payout:${id}`);
  const journal = first && (await findJournal(tx, holder_id, first.id));
  if (!journal) throw new Error(`payout ${id} has no journal`);
  await postJournal(tx, buildReversalJournal(journal, because));
}
