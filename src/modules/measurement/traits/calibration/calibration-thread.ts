import { parentPort, workerData } from 'node:worker_threads';
import { itemBank } from '../items/item-bank.ts';
import { calibrateBank, type BankCalibration } from './calibrate-bank.ts';
import { unpackAnswers, type PackedAnswers } from './packed-answers.ts';

/** What the thread says: the share that is done, from 0 to 1, and at last the result. */
export type CalibrationMessage = { readonly share: number } | { readonly calibration: BankCalibration };

const port = parentPort;
if (!port) throw new Error('this file runs in a worker thread only');

const report = (message: CalibrationMessage) => port.postMessage(message);

// Node types the data of a worker as `any`; `estimate-parameters.ts` always passes packed answers.
const answerSets = unpackAnswers(workerData as PackedAnswers);
report({ calibration: calibrateBank(itemBank, answerSets, (share) => report({ share })) });
