import { task } from '#platform/queue/task.ts';
import { collectStoredAnswers, requireRespondents, storeCalibration } from './calibrate-items.ts';
import { estimateInThread } from './estimate-in-thread.ts';
import { packAnswers } from './packed-answers.ts';

/** In thousandths, because the progress of a task is counted. */
const steps = 1_000;

/** Estimates the parameters of the items from stored answers, and stores them as a version that is not in use, for the user who asked for it. */
export const estimateParameters = task<{ readonly user_id: string }>({
  name: 'traits.estimateParameters',
  retry_seconds: [60],
  merge_by: () => 'all',
  run: async (context, { user_id }) => {
    const { left_out, answers } = await collectPackedAnswers(context);
    const progress = createProgressReporter((done) => context.reportProgress(done, steps));
    const calibration = await estimateInThread(answers, context.signal, progress);
    context.signal.throwIfAborted();
    const actor = { user_id, role: 'platform_admin' } as const;
    await storeCalibration(context, calibration, { left_out, actor });
    await context.reportProgress(steps, steps);
    return { result_url: `${context.config.publicUrl}/api/v1/operator/calibrations` };
  },
});

/** Collects the answers in their packed form, which takes a tenth of the memory. */
async function collectPackedAnswers(context: Parameters<typeof collectStoredAnswers>[0]) {
  const { answerSets, left_out } = await collectStoredAnswers(context);
  requireRespondents(answerSets.length);
  return { left_out, answers: packAnswers(answerSets) };
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
