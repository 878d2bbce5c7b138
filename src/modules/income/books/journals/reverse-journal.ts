import { OperatorError } from '#platform/command-line.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { recordAudit } from '#modules/operations/audit';
import { postJournal } from './post-journal.ts';
import { buildReversalJournal, type StoredJournal } from './rules.ts';
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
    if (journal.kind !== 'read' && journal.kind !== 'refund')
      throw new OperatorError(`a journal of the kind ${journal.kind} cannot be taken back`);
    const posted = await postJournal(tx, buildReversalJournal(journal, { at: now(), reason }));
    if (!posted.is_new) throw new OperatorError(`journal ${id} was taken back before, by ${posted.id}`);
    await recordAudit(tx, {
      now: now(),
      actor: null,
      action: 'ledger.journal_reversed',
      detail: { journal_id: id },
    });
    return { reversed: id, reversal: posted.id };
  });
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
