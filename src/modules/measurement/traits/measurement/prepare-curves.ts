import { getItemCurves } from '@tessera/psychometrics';
import { createTurnEnder } from '#lib/concurrency/create-turn-ender.ts';
import type { ItemBank } from '../items/bank.ts';
import { prepareEvidenceCurves } from './person-fit.ts';

/**
 * Computes the curves of all statements of a bank, which are then stored with it: one statement after another, so that no turn of the
 * event loop is long. Without this, the first measurement with a bank computed all of them in one turn of 87 ms.
 */
export async function prepareCurves(
  bank: ItemBank<string>,
  endLongTurn: () => Promise<void> = createTurnEnder(),
): Promise<void> {
  for (const item of [...bank.graded, ...(bank.retired ?? [])]) {
    getItemCurves(item);
    prepareEvidenceCurves(item, bank);
    await endLongTurn();
  }
}
