import { Worker } from 'node:worker_threads';
import type { BankCalibration } from './calibrate-bank.ts';
import type { CalibrationMessage } from './calibration-thread.ts';
import type { PackedAnswers } from './packed-answers.ts';

/** The answers of 20,000 respondents need about a quarter of this. */
const heap_mb_max = 1_024;

/**
 * Estimates the parameters of the item bank in a thread of its own, because it computes for minutes and the process serves requests meanwhile.
 *
 * @param onShare Receives the share that is done, from 0 to 1.
 * @throws the reason of `signal` as soon as it is aborted, and an error if the thread ends without a result.
 */
export async function estimateInThread(
  answers: PackedAnswers,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<BankCalibration> {
  signal.throwIfAborted();
  const thread = new Worker(new URL('./calibration-thread.ts', import.meta.url), {
    workerData: answers,
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
