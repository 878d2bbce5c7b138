import type { Job } from '../resource.ts';
import type { Posting } from '../postings/job-posting.ts';
import { compareJob } from '../postings/compare-job.ts';
import { readPosted } from '../postings/draft-job.ts';
import type { Board } from './resource.ts';

/** What a posting can be for a person: a job that is not known, a difference, or a job whose posting has gone. */
export const changeKinds = ['new', 'changed', 'gone'] as const;

export type ChangeKind = (typeof changeKinds)[number];

/** How many boards an organisation follows, and how many postings of each are stored. */
export const boards_max = 10;
export const board_postings_max = 1_000;

const failures_max = 7;
const hour_ms = 3_600_000;
const gone_ms = 20 * hour_ms;

/** How far two readings are apart at most beyond or below a day. */
export const jitter_ms_max = hour_ms;

/** The next reading is after a day, more or less an hour, so that boards that were followed at the same time drift apart. */
export function computeNextReading(now: Date, jitter_ms: number): Date {
  return new Date(now.getTime() + 24 * hour_ms + jitter_ms);
}

/** What the board is like after a day on which it could not be read. The seventh pauses it. */
export function countFailure(board: Board, fault: string): Board {
  const failure_count = board.failure_count + 1;
  return { ...board, failure_count, last_fault: fault, is_active: failure_count < failures_max };
}

/** What a posting that is on its board is for a person. A closed job stays closed. */
export function findChange(job: Job | undefined, posting: Posting): ChangeKind | null {
  if (!job) return 'new';
  if (job.status === 'closed') return null;
  const { posted } = compareJob(job, readPosted(posting));
  return Object.keys(posted).length > 0 ? 'changed' : null;
}

/** Whether a job is closed whose posting has gone: at the second reading without it, unless a person has decided to keep it. */
export function mayCloseGone(
  { closes_gone }: Pick<Board, 'closes_gone'>,
  { gone_at, is_dismissed }: { readonly gone_at: Date | null; readonly is_dismissed: boolean },
  now: Date,
): boolean {
  return closes_gone && !is_dismissed && gone_at !== null && now.getTime() - gone_at.getTime() >= gone_ms;
}
