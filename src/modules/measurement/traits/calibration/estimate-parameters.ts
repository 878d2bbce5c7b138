import { task } from '#platform/queue/task.ts';
import { collectStoredAnswers, storeCalibration } from './calibrate-items.ts';
import { requireRespondents } from './respondents.ts';
import { packAnswers } from './packed-answers.ts';
import { Worker } from 'node:worker_threads';
import type { BankCalibration } from './calibrate-bank.ts';
import type { CalibrationMessage, CalibrationWork } from './calibration-thread.ts';
import { buildOwnBank } from '../items/own-bank.ts';
import { findNewestForm, ownBank } from '../parameters/store.ts';

/** In thousandths, because the progress of a task is counted. */
const steps = 1_000;

/** Estimates the parameters of the items from stored answers, and stores them as a version that is not in use, for the user who asked for it. */
export const estimateParameters = task<{ readonly user_id: string }>({
  name: 'traits.estimateParameters',
  retry_seconds: [60],
  merge_by: () => 'all',
  run: async (context, { user_id }) => {
    const { left_out, ...work } = await collectWork(context);
    const progress = createProgressReporter((done) => context.reportProgress(done, steps));
    const calibration = await estimateInThread(work, context.signal, progress);
    context.signal.throwIfAborted();
    const actor = { user_id, role: 'platform_admin' } as const;
    await storeCalibration(context, calibration, { bank: buildOwnBank(work.form), left_out, actor });
    await context.reportProgress(steps, steps);
    return { result_url: `${context.config.publicUrl}/api/v1/operator/calibrations` };
  },
});

/** Collects the newest statements, and the answers in their packed form, which takes a tenth of the memory. */
async function collectWork(context: Parameters<typeof collectStoredAnswers>[0]) {
  const { answerSets, left_out } = await collectStoredAnswers(context);
  requireRespondents(answerSets.length);
  const form = await findNewestForm(context.database, ownBank);
  return { left_out, form, answers: packAnswers(answerSets) };
}

/** Reports each step at most once, and only while no earlier report is being written. Progress that could not be written is not worth an error. */
function createProgressReporter(write: (done: number) => Promise<void>): (share: number) => void {
  let [reported, isWriting] = [-1, false];
  return (share) => {
    const done = Math.floor(share * steps);
    if (isWriting || done <= reported || done >= steps) return;
    [reported, isWriting] = [done, true];
    write(done)
      .catch(() => undefined)
      .finally(() => {
        isWriting = false;
      });
  };
}

/** The answers of 20,000 respondents need about a quarter of this. */
const heap_mb_max = 1_024;

/**
 * Estimates the parameters of the item bank in a thread of its own, because it computes for minutes and the process serves requests meanwhile.
 *
 * @param onShare Receives the share that is done, from 0 to 1.
 * @throws the reason of `signal` as soon as it is aborted, and an error if the thread ends without a result.
 */
async function estimateInThread(
  work: CalibrationWork,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<BankCalibration> {
  signal.throwIfAborted();
  const thread = new Worker(new URL('./calibration-thread.ts', import.meta.url), {
    workerData: work,
    resourceLimits: { maxOldGenerationSizeMb: heap_mb_max },
  });
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      thread.on('message', (message: CalibrationMessage) => {
        if ('share' in message) onShare(message.share);
        else resolve(message.calibration);
      });
      thread.on('error', reject);
      thread.on('exit', () => reject(new Error('the thread of the calibration ended without a result')));
    });
  } finally {
    await thread.terminate();
  }
}
