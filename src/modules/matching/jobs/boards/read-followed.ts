import { randomInt } from 'node:crypto';
import { Refusal, requireFound } from '#lib/refusal.ts';
import { listAdministrators } from '#modules/access/accounts';
import { recordAudit } from '#modules/operations/audit';
import type { Reader, Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { fetchPostings } from '../postings/fetch-postings.ts';
import type { Posting } from '../postings/job-posting.ts';
import { applyReading } from './apply-reading.ts';
import type { Board } from './resource.ts';
import { computeNextReading, countFailure, jitter_ms_max } from './rules.ts';
import { sendBoardPause } from './send-board-pause.ts';
import { findBoard, lockBoard, updateBoard, type BoardKey } from './store.ts';

/** Computes when a board is read after this time. */
export function planNextReading(now: Date): Date {
  return computeNextReading(now, randomInt(-jitter_ms_max, jitter_ms_max + 1));
}

type ReadingServices = Services & {
  readonly database: Reader;
  readonly transaction: <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;
};

/**
 * Reads a followed board and stores what it says, or why it could not be read.
 *
 * @param due Whether this is the reading of the day, which counts failures. Otherwise a person asked for it.
 * @returns undefined if the board is not due any longer.
 * @throws Refusal `board_not_found`.
 */
export async function readFollowed(
  context: ReadingServices,
  key: BoardKey,
  due: boolean,
): Promise<Board | undefined> {
  const { database, now } = context;
  const isDue = (board: Board) => !due || (board.is_active && board.next_read_at <= now());
  const found = requireFound(await findBoard(database, key), 'board_not_found');
  if (!isDue(found)) return undefined;
  const read = await tryToFetch(context, found);
  return context.transaction(async (tx) => {
    const locked = requireFound(await lockBoard(tx, key), 'board_not_found');
    if (!isDue(locked)) return undefined;
    const board = { ...locked, next_read_at: planNextReading(now()) };
    if (typeof read !== 'string') return applyReading(context, tx, { board, postings: read });
    return updateBoard(
      tx,
      due ? await recordFailure(context, tx, board, read) : { ...board, last_fault: read },
    );
  });
}

/** Fetches the postings. @returns why there are none, if they cannot be read. */
async function tryToFetch(
  services: Services,
  { url, posting_count }: Board,
): Promise<readonly Posting[] | string> {
  try {
    return await fetchPostings(services, url, { may_be_gone: posting_count <= 1 });
  } catch (error) {
    const reason = error instanceof Refusal ? error.extras.errors?.[0]?.reason : undefined;
    if (reason === undefined) throw error;
    return reason;
  }
}

async function recordFailure(
  { queue, now }: Services,
  tx: Transaction,
  before: Board,
  fault: string,
): Promise<Board> {
  const board = countFailure(before, fault);
  if (board.is_active) return board;
  const { id: board_id, org_id } = board;
  for (const user_id of await listAdministrators(tx, org_id))
    await queue.send(tx, sendBoardPause, { board_id, org_id, user_id });
  const detail = { board_id };
  await recordAudit(tx, { now: now(), actor: null, action: 'jobs.board_paused', org_id, detail });
  return board;
}
