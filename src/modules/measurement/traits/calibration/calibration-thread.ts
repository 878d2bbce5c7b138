import { parentPort, workerData } from 'node:worker_threads';
import type { StoredForm } from '../items/build-bank.ts';
import { buildOwnBank } from '../items/own-bank.ts';
import { calibrateBank, type BankCalibration } from './calibrate-bank.ts';
import { unpackAnswers, type PackedAnswers } from './packed-answers.ts';

/** What the thread says: the share that is done, from 0 to 1, and at last the result. */
export type CalibrationMessage = { readonly share: number } | { readonly calibration: BankCalibration };

const port = parentPort;
if (!port) throw new Error('this file runs in a worker thread only');

const report = (message: CalibrationMessage) => port.postMessage(message);

/** What the thread reads: the answers, and the statements of the installation if it has any. */
export type CalibrationWork = { readonly answers: PackedAnswers; readonly form: StoredForm | undefined };

// Node types the data of a worker as `any`; `estimate-parameters.ts` always passes this.
const { answers, form } = workerData as CalibrationWork;
const answerSets = unpackAnswers(answers);
report({ calibration: calibrateBank(buildOwnBank(form), answerSets, (share) => report({ share })) });
