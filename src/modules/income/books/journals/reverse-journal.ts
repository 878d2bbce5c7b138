import { OperatorError } from '#platform/command-line.ts';
import { findBrokenConstraint, type Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { recordAudit } from '#modules/operations/audit';
import { postJournal, type PostedJournal } from './post-journal.ts';
import { buildRefundJournal, buildReversalJournal, type StoredJournal } from './rules.ts';
import { findHolder, findJournal, lockHolderShared } from './store.ts';

/**
 * Takes a journal back on behalf of the operator, for example because the chain has dropped the block of its payment. The journal stays, and another one
 * with the opposite postings is added. Journals of payouts are taken back by their task alone, which knows whether the money has left.
 *
 * @throws OperatorError if there is no such journal, or it cannot be taken back.
 */
export async function reverseJournal(
  { database, now }: Pick<Platform, 'database' | 'now'>,
  { journal: id = '', reason: text = '' }: Readonly<Record<string, string>>,
): Promise<{ readonly reversed: string; readonly reversal: string }> {
  checkId(id, 'journal');
  const reason = readReason(text);
  return database.transaction(async (tx) => {
    const journal = await lockJournal(tx, id);
    if (!isReversible(journal))
      throw new OperatorError(`a journal of the kind ${journal.kind} cannot be taken back`);
    const because = { at: now(), reason };
    const posted = await postReversal(tx, journal, because);
    if (!posted.is_new) throw new OperatorError(`journal ${id} was taken back before, by ${posted.id}`);
    await returnToBalance(tx, journal, because);
    await recordAudit(tx, {
      now: now(),
      actor: null,
      action: 'ledger.journal_reversed',
      detail: { journal_id: id },
    });
    return { reversed: id, reversal: posted.id };
  });
}

/** What has gone back to a balance stays there: the payment has ended, and nothing could take the money again. */
function isReversible({ kind, rail }: StoredJournal): boolean {
  return kind === 'read' || kind === 'top_up' || (kind === 'refund' && rail !== 'balance');
}

type Because = { readonly at: Date; readonly reason: string };

async function postReversal(
  tx: Transaction,
  journal: StoredJournal,
  because: Because,
): Promise<PostedJournal> {
  try {
    return await postJournal(tx, buildReversalJournal(journal, because));
  } catch (error) {
    if (findBrokenConstraint(error) !== 'prepaid_balances_balance_micros_check') throw error;
    throw new OperatorError('the organisation has less than this left in its balance');
  }
}

/** Gives the price of a read that is taken back to the balance that paid it. */
async function returnToBalance(
  tx: Transaction,
  { kind, rail, payment_id, org_id, postings }: StoredJournal,
  { at, reason }: Because,
): Promise<void> {
  if (kind !== 'read' || rail !== 'balance') return;
  const gross = postings.find(({ account }) => account === 'balance_in_use')!.amount;
  // A read has a payment and an organisation.
  const refund = { payment_id: payment_id!, org_id: org_id!, payer: null, rail, gross, at, reason };
  await postJournal(tx, buildRefundJournal(refund));
}

/** Finds a journal, and keeps its holder until the transaction ends: an erasure could otherwise move the journal away from its reversal. */
async function lockJournal(tx: Transaction, id: string): Promise<StoredJournal> {
  const holder_id = await findHolder(tx, id);
  if (holder_id === undefined) throw new OperatorError(`there is no journal ${id}`);
  await lockHolderShared(tx, holder_id);
  const journal = await findJournal(tx, holder_id, id);
  if (!journal) throw new OperatorError(`journal ${id} has just been moved by an erasure; try again`);
  return journal;
}

/** Checks the id that an operator names. @throws OperatorError if it is none. */
export function checkId(id: string, what: 'journal' | 'payout'): void {
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id))
    throw new OperatorError(`${id} is not the id of a ${what}`);
}

const reason_length_max = 200;

/** Reads why an operator changes the books. @throws OperatorError if it is empty or too long. */
export function readReason(text: string): string {
  if (text.trim() === '' || text.length > reason_length_max)
    throw new OperatorError(`the reason must have at most ${reason_length_max} characters`);
  return text;
}
