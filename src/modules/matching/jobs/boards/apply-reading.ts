import { createHash, randomUUID } from 'node:crypto';
import { createTurnEnder } from '#lib/concurrency/create-turn-ender.ts';
import { findReachableUser } from '#modules/access/accounts';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { changeJob, lockJobForChange } from '../change-job.ts';
import type { Posting } from '../postings/job-posting.ts';
import type { Job } from '../resource.ts';
import { listJobsByReference } from '../store.ts';
import type { Board } from './resource.ts';
import { board_postings_max, findChange, mayCloseGone } from './rules.ts';
import {
  deletePostings,
  listKnownPostings,
  updateBoard,
  updateGone,
  upsertPostings,
  type KnownPosting,
  type StoredPosting,
} from './store.ts';

export type ReadingContext = Pick<Context<'org_admin'>, 'config' | 'now' | 'queue'>;

const batch_postings = 50;

/** A reading: the board as it is locked, with the time of the next reading, and what it says. */
type Reading = { readonly board: Board; readonly postings: readonly Posting[] };

/**
 * Compares what a board says with the jobs of its organisation, and stores the changes that wait for a person. Closes jobs whose postings have gone if the
 * administrator who chose so is still one. Jobs are locked before postings, as a change of a job locks them.
 */
export async function applyReading(
  context: ReadingContext,
  tx: Transaction,
  { board, postings }: Reading,
): Promise<Board> {
  const published = new Map(
    postings.flatMap((posting) => (posting.reference === undefined ? [] : [[posting.reference, posting]])),
  );
  const kept = [...published].slice(0, board_postings_max);
  const known = new Map((await listKnownPostings(tx, board.id)).map((each) => [each.reference, each]));
  const missing = [...known.values()].filter(({ reference }) => !published.has(reference));
  const references = [...kept.map(([reference]) => reference), ...missing.map(({ reference }) => reference)];
  const jobs = await listJobsByReference(tx, board.org_id, references);
  await applyMissing(context, tx, { board, missing, jobs });
  const changed = await findChanged({ kept, known, jobs }, context.now());
  for (let at = 0; at < changed.length; at += batch_postings)
    await upsertPostings(tx, board, changed.slice(at, at + batch_postings));
  return updateBoard(tx, {
    ...board,
    read_at: context.now(),
    failure_count: 0,
    last_fault: null,
    posting_count: kept.length,
    left_out: postings.length - kept.length,
  });
}

type Missing = {
  readonly board: Board;
  readonly missing: readonly KnownPosting[];
  readonly jobs: ReadonlyMap<string, Job>;
};

async function applyMissing(
  context: ReadingContext,
  tx: Transaction,
  { board, missing, jobs }: Missing,
): Promise<void> {
  const isOpen = ({ reference }: KnownPosting) => (jobs.get(reference)?.status ?? 'closed') !== 'closed';
  const open = missing.filter(isOpen);
  const closing = open.filter((each) => mayCloseGone(board, each, context.now()));
  const closed = closing.length > 0 && (await closeJobs(context, tx, { board, missing: closing, jobs }));
  const ended = missing.filter((each) => !isOpen(each) || (closed && closing.includes(each)));
  const proposed = open.filter((each) => !ended.includes(each));
  const listReferences = (rows: readonly KnownPosting[]) => rows.map(({ reference }) => reference);
  if (ended.length > 0) await deletePostings(tx, board.id, listReferences(ended));
  if (proposed.length > 0) await updateGone(tx, board.id, listReferences(proposed), context.now());
}

/** Closes jobs in the name of the administrator who chose so. @returns false if that user is no administrator any longer. */
async function closeJobs(
  context: ReadingContext,
  tx: Transaction,
  { board, missing, jobs }: Missing,
): Promise<boolean> {
  const { org_id, chosen_by: user_id } = board;
  if (!(await findReachableUser(tx, { org_id, user_id }))?.is_admin) return false;
  const caller = { role: 'org_admin', org_id, user_id } as const;
  const patch = { status: 'closed' } as const;
  for (const { reference } of missing) {
    const locked = await lockJobForChange({ ...context, caller }, tx, jobs.get(reference)!.id, patch);
    await changeJob({ ...context, caller }, tx, locked, { patch });
  }
  return true;
}

type Compared = {
  readonly kept: readonly (readonly [reference: string, posting: Posting])[];
  readonly known: ReadonlyMap<string, KnownPosting>;
  readonly jobs: ReadonlyMap<string, Job>;
};

/** Finds the postings that are stored with a change. What was put aside stays so while the posting says the same. */
async function findChanged({ kept, known, jobs }: Compared, now: Date): Promise<readonly StoredPosting[]> {
  const endLongTurn = createTurnEnder();
  const changed: StoredPosting[] = [];
  for (const [reference, posting] of kept) {
    await endLongTurn();
    const before = known.get(reference);
    const posting_hash = createHash('sha256').update(JSON.stringify(posting)).digest('base64url');
    const change = findChange(jobs.get(reference), posting);
    const isSame = before?.posting_hash === posting_hash && before.gone_at === null;
    if (isSame && before.change === change) continue;
    const found_at = isSame && before.change !== null ? before.found_at : now;
    const is_dismissed = isSame && before.is_dismissed;
    const id = randomUUID();
    changed.push({ id, reference, posting, posting_hash, change, found_at, gone_at: null, is_dismissed });
  }
  return changed;
}
