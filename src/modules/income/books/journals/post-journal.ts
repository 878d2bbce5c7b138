import { createHash, randomUUID } from 'node:crypto';
import { writeCanonicalJson } from '#lib/canonical-json.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Journal } from './rules.ts';
import { findJournalByKey, insertJournal } from './store.ts';

/** Another journal of the same holder has the key. That is a defect, because a key names one thing that happened. */
export class JournalConflict extends Error {}

/** A journal that is in the ledger, and whether this call posted it. */
export type PostedJournal = { readonly id: string; readonly is_new: boolean };

/**
 * Posts a journal once: if its holder has one with the same key and the same content, nothing is added. Times are not compared, because a
 * repetition comes later.
 *
 * @throws JournalConflict if the content is different.
 */
export async function postJournal(tx: Transaction, journal: Journal): Promise<PostedJournal> {
  const id = randomUUID();
  const body_hash = hashBody(journal);
  if (await insertJournal(tx, { ...journal, id, body_hash })) return { id, is_new: true };
  const { holder_id, idempotency_key } = journal;
  const existing = await findJournalByKey(tx, holder_id, idempotency_key);
  if (!existing?.body_hash.equals(body_hash))
    throw new JournalConflict(`the key ${idempotency_key} belongs to another journal of ${holder_id}`);
  return { id: existing.id, is_new: false };
}

/** The holder is left out as well: after an erasure, another id has its journals. */
function hashBody({ holder_id: _holder, posted_at: _time, postings, ...rest }: Journal): Buffer {
  const lines = postings.map(({ account, amount }) => [account, String(amount)]);
  return createHash('sha256')
    .update(writeCanonicalJson({ ...rest, lines }))
    .digest();
}
